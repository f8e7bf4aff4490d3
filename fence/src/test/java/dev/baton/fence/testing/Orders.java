package dev.baton.fence.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** The side of the holder: reads orders from its input and answers each with one line. */
public final class Orders {

    /** What a holder does with an order; what it answers. */
    public interface Deed {
        String done(String order) throws Exception;
    }

    /** Tells answers from what libraries log. */
    static final String ANSWER = "answer: ";

    private Orders() {}

    /** Until the input ends. A deed that fails is answered as {@code failed: why}. */
    public static void follow(Deed deed) throws IOException {
        System.out.println(ANSWER + "ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = in.readLine(); order != null; order = in.readLine()) {
            String answer;
            try {
                answer = deed.done(order);
            } catch (Exception e) {
                answer = "failed: " + e;
            }
            System.out.println(ANSWER + answer.replace('\n', ' '));
        }
    }
}
