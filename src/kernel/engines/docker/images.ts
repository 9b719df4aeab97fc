import { after } from '../../time/timers.ts';
import { splitImage } from '../image-name.ts';
import type { RegistryLogin } from '../plan.ts';
import { ImageProblem } from '../types.ts';
import { type EngineClient, EngineError } from './client.ts';
import { jsonLines } from './json-lines.ts';
import { OWN_IMAGE } from './pause-image.ts';

interface Progress {
  readonly error?: string;
  readonly errorDetail?: { readonly message?: string };
}

interface ListedImage {
  readonly RepoTags: readonly string[] | null;
}

interface InspectedImage {
  readonly RepoDigests?: readonly string[] | null;
}

const DOCKER_HUB = 'docker.io';
const DOCKER_HUB_NAMES = new Set([
  DOCKER_HUB,
  'index.docker.io',
  'registry-1.docker.io',
  'registry.hub.docker.com',
  'hub.docker.com',
]);

/** A pull may take any time, but it is abandoned after this long without progress. */
const STANDSTILL_MS = 10 * 60_000;

const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
/** Host, path, version and digest. A reference becomes part of paths of the engine's API, so nothing else is allowed. */
const REFERENCE = new RegExp(
  `^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\\d+)?/)?${COMPONENT}(?:/${COMPONENT})*(?::\\w[\\w.-]{0,127})?(?:@[a-z0-9]+:[0-9a-f]{32,128})?$`,
);

/** Path of the API that inspects an image. */
export const imagePath = (image: string): string => `/images/${image}/json`;

/** Pulls an image unless the engine has it. */
export async function ensureImage(
  client: EngineClient,
  image: string,
  registries: readonly RegistryLogin[],
  halt: AbortSignal,
): Promise<'present' | 'pulled'> {
  if (!REFERENCE.test(image)) throw new ImageProblem(`'${image}' is not a valid image name`);
  if (await hasImage(client, image, halt)) return 'present';
  await pull(client, image, registries, halt);
  return 'pulled';
}

async function hasImage(client: EngineClient, image: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.text('GET', imagePath(image), { signal });
    return true;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // The pull reports any other problem.
    return false;
  }
}

/** The image with the digest from its registry. An image that was built on the machine has no digest. */
export async function imageReference(client: EngineClient, image: string): Promise<string | undefined> {
  if (image.includes('@') || !REFERENCE.test(image)) return image;
  try {
    const { RepoDigests } = await client.json<InspectedImage>('GET', imagePath(image));
    const digest = RepoDigests?.[0]?.split('@')[1];
    return digest && `${splitImage(image).name}@${digest}`;
  } catch {
    // Ignored, because the reference is only used in the text of an event.
    return undefined;
  }
}

async function pull(
  client: EngineClient,
  image: string,
  registries: readonly RegistryLogin[],
  signal: AbortSignal,
): Promise<void> {
  const { name, version } = splitImage(image);
  const login = loginFor(image, registries);
  try {
    const progress = await client.stream('POST', '/images/create', {
      query: { fromImage: name, tag: version },
      headers: login ? { 'x-registry-auth': registryHeader(login) } : {},
      answerMs: STANDSTILL_MS,
      signal,
    });
    const standstill = (): (() => void) =>
      after(STANDSTILL_MS, () => progress.destroy(new ImageProblem('its registry has sent nothing for ten minutes')));
    let cancel = standstill();
    try {
      for await (const line of jsonLines<Progress>(progress)) {
        cancel();
        const problem = line.error ?? line.errorDetail?.message;
        if (problem !== undefined) throw new ImageProblem(problem);
        cancel = standstill();
      }
    } finally {
      cancel();
    }
  } catch (error) {
    if (error instanceof ImageProblem) throw error;
    if (error instanceof EngineError) throw new ImageProblem(error.message);
    throw client.unavailable(error, signal);
  }
}

/** The login for the registry of the image. */
export function loginFor(image: string, registries: readonly RegistryLogin[]): RegistryLogin | undefined {
  const first = image.split('/', 1)[0] ?? '';
  const isHost = image.includes('/') && (/[.:]/.test(first) || first === 'localhost');
  const host = registryName(isHost ? first : DOCKER_HUB);
  return registries.find(({ server }) => registryName(server.split('/', 1)[0] ?? '') === host);
}

function registryName(server: string): string {
  const name = server.toLowerCase();
  return DOCKER_HUB_NAMES.has(name) ? DOCKER_HUB : name;
}

function registryHeader({ server, username = '', password = '' }: RegistryLogin): string {
  const text = Buffer.from(JSON.stringify({ username, password, serveraddress: server })).toString('base64');
  // URL-safe base64, but with the padding that Node's `base64url` omits.
  return text.replaceAll('+', '-').replaceAll('/', '_');
}

export async function cachedImages(client: EngineClient): Promise<{ osType: 'Linux'; image: string }[]> {
  const images = await client.json<ListedImage[]>('GET', '/images/json');
  const tags = images.flatMap(({ RepoTags }) => RepoTags ?? []);
  // Hides the jar's own image, which engines list with a registry in front.
  const shown = tags.filter((tag) => !tag.startsWith('<none>') && !tag.endsWith(OWN_IMAGE));
  return shown.sort().map((image) => ({ osType: 'Linux', image }));
}
