package dev.baton.duty.tokens;

/**
 * The name of one request, by which a retry is recognised: who asks, and the number that it gave the request.
 *
 * @param sequence 1, 2, 3 … for each client
 */
public record RequestId(String client, long sequence) {}
