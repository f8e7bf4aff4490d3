package dev.baton.node.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A body on its way. Waits until the client's socket has taken what was sent, so a slow reader costs one piece of memory,
 * and one who has left is noticed.
 */
final class SentStream extends OutputStream {

    private static final int PIECE = 16 << 10;

    private final ChannelHandlerContext ctx;
    private @Nullable ByteBuf piece;

    SentStream(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int from = offset;
        int left = length;
        while (left > 0) {
            ByteBuf filling = piece == null ? ctx.alloc().buffer(Math.min(left, PIECE), PIECE) : piece;
            piece = filling;
            int taken = Math.min(left, filling.maxWritableBytes());
            filling.writeBytes(bytes, from, taken);
            from += taken;
            left -= taken;
            if (filling.maxWritableBytes() == 0) {
                flush();
            }
        }
    }

    @Override
    public void flush() throws IOException {
        ByteBuf full = piece;
        if (full == null) {
            return;
        }
        piece = null;
        ChannelFuture sent = ctx.writeAndFlush(new DefaultHttpContent(full));
        try {
            sent.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the listener is closing");
        }
        if (!sent.isSuccess()) {
            throw new IOException("the client has left", sent.cause());
        }
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
