package dev.baton.control.rpc;

import dev.baton.control.ControlledNode;
import dev.baton.control.ControlledSeat;
import dev.baton.control.access.Caller;
import dev.baton.control.access.Doorkeeper;
import dev.baton.control.access.Policy;
import dev.baton.control.access.PolicyFile;
import dev.baton.control.access.Reloaded;
import dev.baton.control.access.Role;
import dev.baton.control.access.Trust;
import dev.baton.control.audit.AuditRecord;
import dev.baton.control.audit.Auditor;
import dev.baton.control.audit.Book;
import dev.baton.control.audit.ControlDuty;
import dev.baton.control.audit.Journal;
import dev.baton.control.seal.ClusterKey;
import dev.baton.control.seal.LeaseTokens;
import dev.baton.control.seal.RecordSeals;
import dev.baton.control.seal.SealedTickets;
import dev.baton.control.state.BreakGlass;
import dev.baton.control.state.StopSwitch;
import dev.baton.core.Holder;
import dev.baton.core.SeatName;
import dev.baton.core.Seating;
import dev.baton.seat.SeatStatus;
import io.grpc.BindableService;
import io.grpc.Channel;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything of the control plane that one node has: what it remembers, whom it lets in, and the listener.
 *
 * <p>Opened in two steps, because a node must know that it was stopped before it joins its seats, and can be steered only
 * after.
 */
public final class ControlPlane implements AutoCloseable {

    private final Settings settings;
    private final ClusterKey key;
    private final StopSwitch stops;
    private final BreakGlass glass;
    private final Book book;
    private final ControlDuty duty;
    private final SealedTickets tickets;
    private final InstantSource clock = InstantSource.system();
    private @Nullable Journal journal;
    private @Nullable Auditor auditor;
    private @Nullable ControlListener listener;

    /**
     * How it is set up.
     *
     * @param keyFile the cluster's key
     * @param policy who may do what; without one, whoever is on the machine steers
     */
    public record Settings(
            SocketAddress listen, Path keyFile, Optional<Path> policy, Optional<Tls> tls, Limits limits) {}

    /** PEM files: the listener's certificate and key, and the authorities whose clients it believes. */
    public record Tls(Path certificate, Path key, Path trust) {}

    private ControlPlane(
            Settings settings, ClusterKey key, StopSwitch stops, BreakGlass glass, Book book, InstantSource clock) {
        this.settings = settings;
        this.key = key;
        this.stops = stops;
        this.glass = glass;
        this.book = book;
        this.duty = new ControlDuty(book);
        this.tickets = new SealedTickets(key, clock);
    }

    /** Reads what the node remembers; nobody can call yet. */
    public static ControlPlane open(Settings settings, Path folder, List<SeatName> seats) throws IOException {
        Files.createDirectories(folder);
        return new ControlPlane(
                settings,
                ClusterKey.read(settings.keyFile()),
                StopSwitch.open(folder, seats),
                BreakGlass.open(folder.resolve("break-glass.json"), InstantSource.system()),
                Book.open(folder.resolve(BOOK)),
                InstantSource.system());
    }

    /** The name of the book, in the folder. */
    public static final String BOOK = "audit.log";

    /**
     * Begins to listen.
     *
     * @param holder who holds the seat "control" now
     * @param channels connections to the nodes' own gRPC servers
     */
    public void listen(
            ControlledNode node,
            Holder self,
            Path folder,
            Supplier<Optional<Seating>> holder,
            Function<String, Channel> channels)
            throws IOException {
        RecordSeals seals = new RecordSeals(key);
        Journal opened = Journal.open(
                self.node(),
                folder.resolve("outbox.log"),
                clock.millis(),
                new Courier(self, holder, channels, duty, seals));
        journal = opened;
        Auditor written = new Auditor(opened, duty, book, clock);
        auditor = written;
        Doorkeeper doorkeeper = doorkeeper();
        LeaseTokens tokens = new LeaseTokens(key);
        Lifecycle lifecycle = new Lifecycle(tokens, stops, glass);
        Deeds deeds = new Deeds(written);
        List<BindableService> services = List.of(
                new ControlEndpoint(
                        node, doorkeeper, tokens, glass, lifecycle, new Handing(node, tickets, lifecycle), deeds),
                new BreakGlassEndpoint(glass, deeds),
                new AuditEndpoint(written));
        listener = ControlListener.open(
                settings.listen(),
                settings.tls().map(tls -> new ControlListener.Identity(tls.certificate(), tls.key())),
                new CallGate(doorkeeper, glass, written, settings.limits()),
                settings.limits(),
                services);
    }

    private Doorkeeper doorkeeper() throws IOException {
        Supplier<Policy> policy = () -> Policy.LOCAL;
        if (settings.policy().isPresent()) {
            policy = new Reloaded<>(settings.policy().get(), PolicyFile::read)::now;
        }
        Optional<Supplier<Trust>> trust = Optional.empty();
        if (settings.tls().isPresent()) {
            trust = Optional.of(new Reloaded<>(settings.tls().get().trust(), Trust::read)::now);
        }
        return new Doorkeeper(trust, policy);
    }

    /** Writes down what is about to be done through another door of this node; if that fails, it must not be done. */
    public void begin(String door, String call, SeatStatus seat, String reason) throws IOException {
        if (auditor != null) {
            auditor.begun(through(door), deed(call, seat, reason, AuditRecord.BEGUN, ""));
        }
    }

    /** Writes down what was done through another door of this node. Does not wait. */
    public void note(String door, String call, SeatStatus seat, String reason, String outcome, String detail) {
        if (auditor != null) {
            auditor.noted(through(door), deed(call, seat, reason, outcome, detail));
        }
    }

    private static Caller through(String door) {
        return new Caller(door, Role.OPERATOR, "", door);
    }

    private static Auditor.Deed deed(String call, SeatStatus seat, String reason, String outcome, String detail) {
        return new Auditor.Deed(
                call,
                seat.seat().seat().value(),
                "",
                reason,
                "",
                outcome,
                detail,
                ControlledSeat.newestEpoch(seat).value(),
                seat.head().height().value(),
                "",
                "");
    }

    /** What other nodes need of this one: goes to the node's own gRPC server. */
    public BindableService recordService() {
        return new RecordEndpoint(duty, new RecordSeals(key));
    }

    /** The duty of the seat "control". */
    public ControlDuty duty() {
        return duty;
    }

    public StopSwitch stops() {
        return stops;
    }

    public SealedTickets tickets() {
        return tickets;
    }

    public int port() {
        return listener == null ? 0 : listener.port();
    }

    /** What is worth an alert, at one moment. */
    public record Figures(
            long denied, int waiting, long records, boolean chainBroken, boolean glassBroken, long glassUntilMillis) {}

    public Figures figures() {
        Optional<BreakGlass.Broken> broken = glass.now();
        return new Figures(
                auditor == null ? 0 : auditor.deniedCount(),
                journal == null ? 0 : journal.waitingCount(),
                duty.count(),
                book.damage().isPresent(),
                broken.isPresent(),
                broken.map(BreakGlass.Broken::untilMillis).orElse(0L));
    }

    /** The newest lines of this node's book, oldest first. */
    public List<String> newestRecords(int most) throws IOException {
        return book.lines(0, most);
    }

    /** What is wrong with this node's book; empty if nothing is. */
    public Optional<String> bookDamage() {
        return book.damage();
    }

    @Override
    public void close() {
        if (listener != null) {
            listener.close();
        }
        if (auditor != null) {
            auditor.sumUp();
        }
        if (journal != null) {
            journal.close();
        }
    }
}
