package dev.baton.chaos.history;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import java.util.Locale;

/** An event as one line of JSON, and back. Thread-safe. */
public final class EventCodec {

    /** The name of the record stands first in each line, so that a journal can be searched by eye. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.PROPERTY, property = "is")
    private interface Named {}

    private static final ObjectMapper MAPPER = mapper();
    private static final ObjectWriter WRITER = MAPPER.writerFor(Event.class);
    private static final ObjectReader READER = MAPPER.readerFor(Event.class);

    private EventCodec() {}

    private static ObjectMapper mapper() {
        JsonMapper.Builder builder = JsonMapper.builder()
                // A record's other methods say something about it; they are no part of it.
                .visibility(PropertyAccessor.ALL, Visibility.NONE)
                .visibility(PropertyAccessor.FIELD, Visibility.ANY)
                .visibility(PropertyAccessor.CREATOR, Visibility.ANY)
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        nameTheRecordsOf(Event.class, builder);
        nameTheRecordsOf(Request.class, builder);
        nameTheRecordsOf(Answer.class, builder);
        return builder.build();
    }

    private static void nameTheRecordsOf(Class<?> sealed, JsonMapper.Builder builder) {
        builder.addMixIn(sealed, Named.class);
        for (Class<?> each : sealed.getPermittedSubclasses()) {
            String simple = each.getSimpleName();
            String name = simple.substring(0, 1).toLowerCase(Locale.ROOT) + simple.substring(1);
            builder.registerSubtypes(new NamedType(each, name));
        }
    }

    /** The event without a line end; its text holds none either. */
    public static String line(Event event) {
        try {
            return WRITER.writeValueAsString(event);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an event that cannot be written: " + event, e);
        }
    }

    /** The event of a line. */
    public static Event parse(String line) throws JsonProcessingException {
        return READER.readValue(line);
    }
}
