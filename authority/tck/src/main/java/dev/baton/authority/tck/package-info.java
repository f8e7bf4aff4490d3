/**
 * The authority contract as tests: every engine passes the same ones, without exceptions.
 *
 * <p>An engine supplies an {@link dev.baton.authority.tck.EngineFixture} and one small subclass of {@link
 * dev.baton.authority.tck.AuthorityTck}. {@link dev.baton.authority.tck.Certificates} is for tests of TLS anywhere, {@link
 * dev.baton.authority.tck.Freezing} for tests that pause a server.
 */
@NullMarked
package dev.baton.authority.tck;

import org.jspecify.annotations.NullMarked;
