package dev.baton.duty.mempool.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.core.timing.Fault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is looked at before a pool is used: a Redis that forgets, or is somebody's copy, is refused. */
final class StartCheck {

    private static final Logger LOG = LoggerFactory.getLogger(StartCheck.class);

    private final Lines lines;
    private final RedisMempoolSettings settings;
    private final List<Fault> faults = new ArrayList<>();

    private StartCheck(Lines lines, RedisMempoolSettings settings) {
        this.lines = lines;
        this.settings = settings;
    }

    static void run(Lines lines, RedisMempoolSettings settings, byte[][] stateKey) {
        StartCheck check = new StartCheck(lines, settings);
        check.role();
        check.configuration();
        if (check.faults.isEmpty()) {
            check.keys(stateKey);
        }
        if (!check.faults.isEmpty()) {
            throw new RedisRefusedException(check.faults);
        }
    }

    private void fault(String value, String expected) {
        faults.add(new Fault(lines.address(), value, expected));
    }

    private void role() {
        String info = lines.ask(to -> to.info("replication"));
        if (info.contains("role:slave")) {
            fault("a replica", "a Redis that takes writes: name its master");
        }
    }

    private void configuration() {
        Map<String, String> config = new HashMap<>();
        try {
            config.putAll(lines.ask(to -> to.configGet("maxmemory-policy")));
            config.putAll(lines.ask(to -> to.configGet("appendonly")));
        } catch (RuntimeException e) {
            LOG.warn(
                    "{} does not show its configuration ({}): it must have maxmemory-policy noeviction",
                    lines.address(),
                    e.getMessage());
            return;
        }
        String policy = config.getOrDefault("maxmemory-policy", "noeviction");
        if (!policy.equals("noeviction")) {
            fault("maxmemory-policy " + policy, "noeviction, or it forgets transactions that somebody waits for");
        }
        if (config.getOrDefault("appendonly", "yes").equals("no")) {
            LOG.warn("{} has appendonly no: when it restarts, the pool and its fence are gone", lines.address());
        }
    }

    private void keys(byte[][] stateKey) {
        List<Object> answer = lines.run(
                Script.CHECK,
                stateKey,
                settings.keyPrefix().getBytes(UTF_8),
                new byte[0],
                "1".getBytes(UTF_8),
                "1".getBytes(UTF_8));
        Reply reply = new Reply(answer);
        if (reply.text().equals("BROKEN")) {
            faults.add(new Fault(reply.text(), reply.text(), reply.text()));
        }
    }
}
