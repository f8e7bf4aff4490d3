package dev.baton.fence.http;

import dev.baton.fence.Fence;
import dev.baton.fence.testing.Orders;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Posts lines to a service. */
final class HttpHolder {

    private HttpHolder() {}

    public static void main(String[] args) throws Exception {
        URI service = URI.create(args[0]);
        Fence fence = Fence.parse(args[1]);
        try (HttpClient client = HttpClient.newHttpClient()) {
            Orders.follow(line -> {
                HttpResponse<String> response = client.send(
                        HttpRequest.newBuilder(service)
                                .header(FenceHeader.NAME, FenceHeader.format(fence))
                                .POST(HttpRequest.BodyPublishers.ofString(line))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                return response.statusCode() + " " + response.body();
            });
        }
    }
}
