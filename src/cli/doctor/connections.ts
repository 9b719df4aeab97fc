import { readFileSync } from 'node:fs';
import { connect as connectPlain, isIP } from 'node:net';
import { join } from 'node:path';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import { nodeHttp, nodeHttps } from '../../kernel/http/node-http.ts';
import type { FoundJar } from '../find-jar.ts';
import { type Finding, fine, wrong } from './finding.ts';

/** Checks of the other ports of a jar: HTTPS with its certificate, and SMTP. */

const PATIENCE_MS = 5000;

/** Address of the HTTPS port, and the names that its certificate must contain. */
export interface SecurePlace {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: readonly string[];
}

/**
 * Does a TLS handshake that trusts only the jar's own CA. The CA is downloaded from the jar, which gives it to everyone; nothing secret is
 * sent. `folder` is the folder of a jar on this machine, whose CA file clients should trust.
 */
export async function checkHttps(jar: FoundJar, place: SecurePlace, folder: string | undefined): Promise<Finding[]> {
  const from = `${jar.url}/_jar/ca.pem`;
  const url = `https://${place.host.includes(':') ? `[${place.host}]` : place.host}:${place.port}`;
  try {
    const ca = await download(from);
    if (folder !== undefined && ca.trim() !== readFileSync(join(folder, 'ca.pem'), 'utf8').trim()) {
      const path = join(folder, 'ca.pem');
      return [wrong('https', `${path} is not the CA that the jar uses`, `restart the jar, or trust the CA at ${from}`)];
    }
    await handshake(place, place.host, ca);
    const source = folder === undefined ? from : join(folder, 'ca.pem');
    return [fine('https', `${url} has a certificate of ${source}`), ...(await checkPublicNames(place, ca))];
  } catch (error) {
    return [wrong('https', `${url}: ${(error as Error).message}`, fixOf(error, place.host))];
  }
}

async function checkPublicNames(place: SecurePlace, ca: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const url of place.publicUrl.filter((each) => each.startsWith('https:'))) {
    const name = new URL(url).hostname.replace(/^\[|\]$/g, '');
    try {
      await handshake(place, name, ca);
      findings.push(fine('public url', `the certificate is valid for ${name}`));
    } catch (error) {
      findings.push(wrong('public url', `the certificate is not valid for ${name}`, fixOf(error, name)));
    }
  }
  return findings;
}

function fixOf(error: unknown, name: string): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `start the jar with --public-url https://${name}; if it was, its CA is older than that: remove ca.pem and ca.key from its data folder, restart it, and trust the new CA`;
  if (code === 'ECONNREFUSED' || code === 'ETIMEDOUT')
    return 'open the port, for example by publishing it from the container';
  return 'remove ca.pem and ca.key from its data folder and restart the jar to get a new CA';
}

/** Rejects if the certificate is not signed by the CA or does not contain the name. */
function handshake({ host, port }: SecurePlace, name: string, ca: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      host,
      port,
      ca,
      ...(isIP(name) === 0 && { servername: name }),
      checkServerIdentity: (_asked, certificate) => checkServerIdentity(name, certificate),
    });
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('it does not answer')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.destroy();
      resolve();
    });
  });
}

/** Downloads a public resource, even from a jar whose certificate is not trusted yet. */
function download(from: string): Promise<string> {
  const request = from.startsWith('https:')
    ? nodeHttps().request(from, { rejectUnauthorized: false })
    : nodeHttp.request(from);
  return new Promise((resolve, reject) => {
    request.setTimeout(PATIENCE_MS, () => void request.destroy(new Error('it does not answer')));
    request.once('error', reject).once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`${from} answers with ${response.statusCode}`)),
      );
    });
    request.end();
  });
}

/** An SMTP server speaks first. */
export function checkSmtp(host: string, port: number): Promise<Finding> {
  const place = `smtp://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve) => {
    const failed = (detail: string): void => {
      socket.destroy();
      resolve(wrong('smtp', `${place}: ${detail}`, 'open the port, or start the jar with another --smtp-port'));
    };
    const socket = connectPlain({ host, port });
    socket.setTimeout(PATIENCE_MS, () => failed('it does not answer'));
    socket.once('error', (error) => failed(error.message));
    socket.once('data', (greeting) => {
      if (!greeting.toString('latin1').startsWith('220')) return failed('the server there is not a mail server');
      socket.end('QUIT\r\n');
      resolve(fine('smtp', `${place} takes mail`));
    });
  });
}
