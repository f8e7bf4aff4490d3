package dev.baton.duty.mempool.local;

import static dev.baton.duty.mempool.Samples.transaction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolContract;
import dev.baton.duty.mempool.MempoolLimits;
import dev.baton.duty.mempool.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileMempoolTest extends MempoolContract {

    @TempDir
    Path folder;

    private final List<Mempool> open = new ArrayList<>();
    private Path file = Path.of("");

    @Override
    protected Mempool empty(MempoolLimits limits) {
        file = folder.resolve("pool-" + open.size());
        return opened(limits);
    }

    private Mempool opened(MempoolLimits limits) {
        Mempool pool = LocalMempool.open(file, limits, clock);
        open.add(pool);
        return pool;
    }

    /** A copy of the file as it is on the disk now: closing the pool would write what a crash does not. */
    @Override
    protected Mempool again(Mempool pool, MempoolLimits limits) {
        Path copy = folder.resolve("copy-" + open.size());
        try {
            Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        file = copy;
        return opened(limits);
    }

    @AfterEach
    void closeAll() {
        open.forEach(Mempool::close);
    }

    @Test
    void twoProcessesCannotHaveOneFile() {
        empty(LIMITS);
        assertThatThrownBy(() -> opened(LIMITS))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("no other process");
    }

    @Test
    void aClosedPoolSaysSoInsteadOfAnswering() {
        Mempool pool = empty(LIMITS);
        pool.receive(transaction(1));
        pool.close();
        assertThatThrownBy(() -> pool.receive(transaction(2))).isInstanceOf(UnavailableException.class);
        assertThat(opened(LIMITS).hasPending()).isTrue();
    }
}
