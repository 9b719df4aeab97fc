import { listenError } from '../../../kernel/config/index.ts';
import type { MailJar } from '../jar.ts';
import { NOTIFICATION } from '../notifications/names.ts';
import { startSmtpServer } from './server.ts';
import type { SmtpDoor, SmtpServerOptions } from './types.ts';

/** The default of `--smtp-port`. If it is in use, for example by a second jar on the same machine, another port is chosen. */
const DEFAULT_PORT = 7425;

/** Opens the SMTP port. The code that processes mail is loaded with the first mail. */
export async function openDoor(jar: MailJar): Promise<SmtpDoor> {
  const { host, smtpPort } = jar.config;
  const options = optionsFor(jar);
  try {
    return await startSmtpServer({ ...options, port: smtpPort });
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (smtpPort !== DEFAULT_PORT || failure.code !== 'EADDRINUSE')
      throw listenError(failure, { host, port: smtpPort, flag: '--smtp-port' });
    // The jar prints the actual port when it is ready.
    return startSmtpServer({ ...options, port: 0 });
  }
}

function optionsFor(jar: MailJar): Omit<SmtpServerOptions, 'port'> {
  let loaded: Promise<typeof import('../intake/receive.ts')> | undefined;
  const intake = () => {
    loaded ??= import('../intake/receive.ts');
    return loaded;
  };
  return {
    host: jar.config.host,
    name: 'cloudjar',
    secureContext: (servername) => jar.certificates.context(servername),
    receive: async (mail) => {
      // A mail can be the jar's first request, and existing subscriptions must be notified of it.
      await jar.delivery.ready(NOTIFICATION);
      return (await intake()).receiveMail(jar, mail);
    },
    accepts: async (address) => (await intake()).acceptance(jar, address),
    currentLimits: async () => {
      const settings = await jar.settings.current();
      return {
        messageBytes: settings.smtpMessageSizeLimit,
        connections: settings.smtpConnectionLimit,
        connectionsPerAddress: settings.smtpConnectionsPerAddress,
        idleMs: settings.smtpIdleTimeout,
        messageMs: settings.smtpMessageTimeout,
      };
    },
    memory: jar.strangerMemory,
    log: jar.log,
  };
}
