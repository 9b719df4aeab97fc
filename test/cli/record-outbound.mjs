// Preloaded into a jar (`node --import`): records every outbound attempt, one line each, in the file that OUTBOUND_RECORD names.
// Connections that a listener accepts are not recorded.
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/** @param {string} what @param {unknown} args */
function record(what, args) {
  appendFileSync(String(process.env.OUTBOUND_RECORD), `${what} ${JSON.stringify(args)}\n`);
}

/** @param {any} owner @param {string} name @param {string} label @param {(args: any[]) => boolean} [matters] */
function watch(owner, name, label, matters = () => true) {
  const original = owner[name];
  owner[name] = function watched(/** @type {any[]} */ ...args) {
    if (matters(args))
      record(
        label,
        args.filter((each) => typeof each !== 'function'),
      );
    return original.apply(this, args);
  };
}

// A server resolves its own address with the same function; an IP address needs no name server.
const needsNameServer = (/** @type {any[]} */ [name]) => typeof name === 'string' && net.isIP(name) === 0;

watch(net.Socket.prototype, 'connect', 'connect');
watch(dgram.Socket.prototype, 'send', 'send');
watch(dgram.Socket.prototype, 'connect', 'datagram connect');
for (const owner of [dns, dns.promises]) {
  watch(owner, 'lookup', 'lookup', needsNameServer);
  for (const name of ['resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveSrv', 'resolveTxt', 'reverse']) {
    watch(owner, name, name);
  }
}
syncBuiltinESMExports();
