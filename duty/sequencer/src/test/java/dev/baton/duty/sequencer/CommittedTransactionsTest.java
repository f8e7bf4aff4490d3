package dev.baton.duty.sequencer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.fixture.Blocks;
import org.junit.jupiter.api.Test;

class CommittedTransactionsTest {

    private static Hash hash(String transaction) {
        return Hash.sha256(Bytes.utf8(transaction));
    }

    @Test
    void transactionIsKnownUntilTheWindowHasPassed() {
        CommittedTransactions transactions = new CommittedTransactions(3);
        Block first = Blocks.after(Head.GENESIS, "a", "b");
        Block second = Blocks.after(first.asHead(), "c");
        Block third = Blocks.after(second.asHead(), "d");
        transactions.add(first);
        transactions.add(second);
        assertThat(transactions.find(hash("a")))
                .contains(new CommittedTransactions.Place(first.height(), 0, first.hash()));
        transactions.add(third);
        assertThat(transactions.find(hash("a"))).isEmpty();
        assertThat(transactions.find(hash("b")))
                .contains(new CommittedTransactions.Place(first.height(), 1, first.hash()));
        assertThat(transactions.total()).isEqualTo(4);
    }
}
