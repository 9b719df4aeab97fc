import { ConfigError } from '../../../kernel/config/index.ts';
import type { MailJar } from '../jar.ts';
import { startSmtpServer } from './server.ts';
import type { SmtpDoor, SmtpServerOptions } from './types.ts';

/** The default of `--smtp-port`. A second jar on the same machine is no mistake: it gets another port. */
const USUAL_PORT = 7425;

/** Opens the port for mail. What becomes of a mail is loaded with the first one. */
export async function openDoor(jar: MailJar): Promise<SmtpDoor> {
  const { host, smtpPort } = jar.config;
  const options = optionsFor(jar);
  try {
    return await startSmtpServer({ ...options, port: smtpPort });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (smtpPort === USUAL_PORT && code === 'EADDRINUSE') {
      const door = await startSmtpServer({ ...options, port: 0 });
      jar.log.warn(
        `port ${USUAL_PORT} on ${host} is in use already, so mail comes in on port ${door.port}; choose one with --smtp-port`,
      );
      return door;
    }
    const reason = code === 'EADDRINUSE' ? 'it is in use already; stop what listens there' : (error as Error).message;
    throw new ConfigError(
      `mail cannot come in on port ${smtpPort} of ${host}: ${reason}, or choose another with --smtp-port (0 picks a free one)`,
      { cause: error },
    );
  }
}

function optionsFor(jar: MailJar): Omit<SmtpServerOptions, 'port'> {
  const intake = () => import('../intake/receive.ts');
  return {
    host: jar.config.host,
    name: 'cloudjar',
    secureContext: (servername) => jar.certificates.context(servername),
    receive: async (mail) => (await intake()).receiveMail(jar, mail),
    accepts: async (address) => (await intake()).acceptance(jar, address),
    memory: jar.strangerMemory,
    log: jar.log,
  };
}
