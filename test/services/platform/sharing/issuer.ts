import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

/** An issuer of tokens outside of the jar: a discovery document, and keys that can be rotated. */
export class Issuer {
  readonly #server: Server;
  #keys: Keys;
  #kid = 1;
  requests = 0;

  private constructor(keys: Keys) {
    this.#keys = keys;
    this.#server = createServer((request, response) => {
      this.requests++;
      void this.#answer(request.url ?? '').then((body) =>
        response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {})),
      );
    });
  }

  static async open(): Promise<Issuer> {
    const issuer = new Issuer(await generateKeyPair('ES256'));
    await new Promise<void>((resolve) => issuer.#server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/tenant`;
  }

  async #answer(path: string): Promise<object | undefined> {
    if (path === '/tenant/.well-known/openid-configuration') return { issuer: this.url, jwks_uri: `${this.url}/keys` };
    if (path !== '/tenant/keys') return undefined;
    return { keys: [{ ...(await exportJWK(this.#keys.publicKey)), kid: `k${this.#kid}`, alg: 'ES256' }] };
  }

  async rotate(): Promise<void> {
    this.#keys = await generateKeyPair('ES256');
    this.#kid++;
  }

  sign(claims: Record<string, unknown>, keys = this.#keys): Promise<string> {
    return new SignJWT({ iss: this.url, exp: 4_000_000_000, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: `k${this.#kid}` })
      .sign(keys.privateKey);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }
}
