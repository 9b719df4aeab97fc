import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { tar } from '../../../src/kernel/engines/docker/tar.ts';

/** An image registry with one image, protected by a password. */
export interface Registry {
  /** `team/app:1@sha256:…`, without the host. */
  readonly digest: string;
  /** Paths that were requested with the right password. */
  readonly served: readonly string[];
  /** Stops responding. Resolves when a request is waiting. */
  stall(): Promise<void>;
  close(): Promise<void>;
}

interface Blob {
  readonly digest: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const IMAGE = 'team/app';

/** The image contains one file with this content. */
export async function startRegistry(
  host: string,
  login: string,
  image: { readonly content: string; readonly architecture: string },
): Promise<Registry> {
  const layer = blob(
    'application/vnd.docker.image.rootfs.diff.tar',
    tar([{ kind: 'file', path: 'greeting', mode: 0o644, content: Buffer.from(image.content) }]),
  );
  const config = blob(
    'application/vnd.docker.container.image.v1+json',
    JSON.stringify({
      architecture: image.architecture,
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
      history: [{}],
    }),
  );
  const describe = ({ digest, type, bytes }: Blob): object => ({ mediaType: type, digest, size: bytes.length });
  const type = 'application/vnd.docker.distribution.manifest.v2+json';
  const manifest = blob(
    type,
    JSON.stringify({ schemaVersion: 2, mediaType: type, config: describe(config), layers: [describe(layer)] }),
  );
  const files: Record<string, Blob> = {
    [`/v2/${IMAGE}/manifests/1`]: manifest,
    [`/v2/${IMAGE}/manifests/${manifest.digest}`]: manifest,
    [`/v2/${IMAGE}/blobs/${config.digest}`]: config,
    [`/v2/${IMAGE}/blobs/${layer.digest}`]: layer,
  };
  const served: string[] = [];
  let stalled: (() => void) | undefined;
  const server = createServer((request, response) => {
    if (stalled) return stalled();
    const url = request.url ?? '';
    if (request.headers.authorization !== `Basic ${Buffer.from(login).toString('base64')}`) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="registry"' }).end('{"errors":[]}');
      return;
    }
    const file = files[url];
    if (url === '/v2/') response.end('{}');
    else if (!file)
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}');
    else {
      served.push(url);
      const headers = {
        'content-type': file.type,
        'docker-content-digest': file.digest,
        'content-length': file.bytes.length,
      };
      response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : file.bytes);
    }
  });
  const [address, port] = host.split(':');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), address, resolve);
  });
  return {
    digest: manifest.digest,
    served,
    stall: () =>
      new Promise((resolve) => {
        stalled = resolve;
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function blob(type: string, content: string | Buffer): Blob {
  const bytes = Buffer.from(content);
  return { type, bytes, digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}` };
}
