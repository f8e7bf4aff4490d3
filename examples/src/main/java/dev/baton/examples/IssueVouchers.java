package dev.baton.examples;

import dev.baton.client.TokenClient;
import dev.baton.client.TokenNamespace;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** A program that numbers vouchers: each number is unique, and a later voucher has a higher one. */
public final class IssueVouchers {

    private IssueVouchers() {}

    /** Numbers for vouchers that are issued at the same time; calls that wait together share a request. */
    static List<Long> numbers(TokenNamespace vouchers, int count) {
        List<CompletableFuture<Long>> asked =
                IntStream.range(0, count).mapToObj(i -> vouchers.nextAsync()).toList();
        return asked.stream().map(CompletableFuture::join).toList();
    }

    public static void main(String[] args) {
        String[] nodes = args.length > 0 ? args : new String[] {"127.0.0.1:50051"};
        // 20 tries: enough to sit out a change of holder; the timeout of 5 s still holds
        try (TokenClient client = TokenClient.builder(nodes).tries(20).build()) {
            TokenNamespace vouchers = client.namespace("voucher");
            System.out.println("first voucher:  " + vouchers.next());
            System.out.println("ten at once:    " + numbers(vouchers, 10));
            System.out.println("a whole book:   " + vouchers.next(100));
            System.out.println(client.statistics());
        }
    }
}
