package dev.baton.duty.tokens.state;

import dev.baton.core.Bytes;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.TokenSettings.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The byte form of a batch: the payload of a ledger entry, covered by its hash and therefore fixed for ever.
 *
 * <p>Format byte, what is present, then each part in order; a CRC-32C over all of it ends it. Numbers take as many bytes
 * as they need, and a client's name is written once a batch, because a batch may carry thousands of requests.
 */
public final class BatchCodec {

    private static final int FORMAT = 1;
    private static final int OPENS = 1;
    private static final int SETTLES = 2;
    private static final int HAS_REGION = 4;
    private static final int ALL = OPENS | SETTLES | HAS_REGION;

    private BatchCodec() {}

    public static Bytes encode(Batch batch) {
        Packer out = new Packer();
        out.octet(FORMAT);
        Batch.Opening opening = batch.opening();
        Region region = batch.region();
        out.octet((opening == null ? 0 : OPENS) | (batch.settles() ? SETTLES : 0) | (region == null ? 0 : HAS_REGION));
        if (opening != null) {
            out.text(opening.address());
            out.number(opening.window());
        }
        if (region != null) {
            out.number(region.index());
            out.number(region.of());
        }
        out.number(batch.creations().size());
        batch.creations().forEach(creation -> write(creation, out));
        out.number(batch.freezes().size());
        for (Batch.Freeze freeze : batch.freezes()) {
            out.number(freeze.namespace());
            out.octet(freeze.frozen() ? 1 : 0);
        }
        out.number(batch.clients().size());
        batch.clients().forEach(out::text);
        out.number(batch.runs().size());
        batch.runs().forEach(run -> write(run, out));
        out.number(batch.leases().size());
        for (Batch.Lease lease : batch.leases()) {
            out.number(lease.namespace());
            out.number(lease.firstToken());
            out.number(lease.count());
            out.number(lease.unhanded());
        }
        byte[] body = out.toArray();
        out.fixedInt(checksum(body, body.length));
        return out.toBytes();
    }

    private static void write(Batch.Creation creation, Packer out) {
        out.text(creation.name());
        out.octet(codeOf(creation.guarantee()));
        out.number(creation.start());
        out.number(creation.step());
        out.number(creation.ceiling());
        out.number(creation.maxCount());
        out.number(creation.shards());
    }

    private static void write(Run run, Packer out) {
        out.number(run.namespace());
        out.number(run.firstToken());
        out.number(run.size());
        for (int i = 0; i < run.size(); i++) {
            out.number(run.count(i));
            out.number(run.client(i) + 1);
            if (run.client(i) != Run.NOBODY) {
                out.number(run.sequence(i));
            }
        }
    }

    /** Reads what {@link #encode} wrote; bytes of another shape are refused with an {@link IllegalArgumentException}. */
    public static Batch decode(Bytes payload) {
        byte[] bytes = payload.toArray();
        int length = bytes.length - Integer.BYTES;
        if (length < 2) {
            throw new IllegalArgumentException("token batch: " + bytes.length + " bytes (expected: 6 or more)");
        }
        Unpacker in = new Unpacker("token batch", bytes, length);
        int format = in.octet();
        if (format != FORMAT) {
            throw in.refused("format " + format + " (expected: " + FORMAT + ")");
        }
        int stored = payload.asBuffer().getInt(length);
        if (checksum(bytes, length) != stored) {
            throw in.refused("the checksum differs (expected: the bytes that were written)");
        }
        int present = in.octet();
        if ((present & ~ALL) != 0) {
            throw in.refused("the flags " + present + " (expected: " + ALL + " or less)");
        }
        Batch batch = read(in, present);
        in.end();
        return batch;
    }

    private static Batch read(Unpacker in, int present) {
        Batch.@Nullable Opening opening =
                (present & OPENS) == 0 ? null : new Batch.Opening(in.text(), in.smallNumber(Integer.MAX_VALUE));
        @Nullable
        Region region = (present & HAS_REGION) == 0
                ? null
                : new Region(in.smallNumber(Integer.MAX_VALUE), in.smallNumber(Integer.MAX_VALUE));
        List<Batch.Creation> creations = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            creations.add(new Batch.Creation(
                    in.text(),
                    guarantee(in),
                    in.number(),
                    in.number(),
                    in.number(),
                    in.number(),
                    in.smallNumber(Integer.MAX_VALUE)));
        }
        List<Batch.Freeze> freezes = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            freezes.add(new Batch.Freeze(in.smallNumber(Integer.MAX_VALUE), in.flag()));
        }
        List<String> clients = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            clients.add(in.text());
        }
        List<Run> runs = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            runs.add(readRun(in, clients.size()));
        }
        List<Batch.Lease> leases = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            leases.add(new Batch.Lease(in.smallNumber(Integer.MAX_VALUE), in.number(), in.number(), in.number()));
        }
        return new Batch(opening, (present & SETTLES) != 0, region, creations, freezes, clients, runs, leases);
    }

    private static Run readRun(Unpacker in, int clients) {
        Run run = new Run(in.smallNumber(Integer.MAX_VALUE), in.number());
        for (int left = in.count(); left > 0; left--) {
            long count = in.number();
            int client = in.smallNumber(clients) - 1;
            run.add(count, client, client == Run.NOBODY ? 0 : in.number());
        }
        return run;
    }

    static int codeOf(Guarantee guarantee) {
        return switch (guarantee) {
            case STRICT -> 1;
            case LEASED -> 2;
        };
    }

    static Guarantee guarantee(Unpacker in) {
        int code = in.octet();
        return switch (code) {
            case 1 -> Guarantee.STRICT;
            case 2 -> Guarantee.LEASED;
            default -> throw in.refused("the guarantee " + code + " (expected: 1 or 2)");
        };
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
