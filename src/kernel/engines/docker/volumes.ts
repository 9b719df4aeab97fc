import { createHash } from 'node:crypto';
import { chmod, stat } from 'node:fs/promises';
import type { EngineContext } from '../context.ts';
import type { GroupPlan, MountPlan, VolumePlan } from '../plan.ts';
import { MountProblem } from '../types.ts';
import { type EngineClient, EngineError, filters } from './client.ts';
import { cloneRepository } from './git.ts';
import { hasLabels, isFilledMark, LABEL, type Names } from './names.ts';
import { type TarEntry, tarStream } from './tar.ts';

/** A mount as the engine's API describes it. */
export interface EngineMount {
  readonly Type: 'volume' | 'bind';
  readonly Source: string;
  readonly Target: string;
  readonly ReadOnly: boolean;
}

/** Mounts of a container in the two notations of the API. */
export interface EngineMounts {
  readonly Mounts: readonly EngineMount[];
  readonly Binds: readonly string[];
}

interface EngineVolume {
  readonly Name: string;
  readonly Mountpoint?: string;
  readonly Labels?: Readonly<Record<string, string>> | null;
}

interface Content {
  readonly volume: string;
  readonly entries: readonly TarEntry[];
  dispose?(): Promise<void>;
}

/** Creates a container that holds volumes while they are filled; returns its id. */
export type MakeFiller = (uid: string, mounts: readonly EngineMount[]) => Promise<string>;

const OPEN_TO_ALL: TarEntry = { kind: 'folder', path: './', mode: 0o777 };
/** Every user in the container may read secrets, as in the real service. */
const SECRET_MODE = 0o444;

/** Volumes of groups: volumes of the engine or folders of this machine. */
export class Volumes {
  readonly #client: EngineClient;
  readonly #names: Names;
  readonly #context: EngineContext;
  readonly #makeFiller: MakeFiller;

  constructor(client: EngineClient, names: Names, context: EngineContext, makeFiller: MakeFiller) {
    this.#client = client;
    this.#names = names;
    this.#context = context;
    this.#makeFiller = makeFiller;
  }

  /** Creates missing volumes and fills them. */
  async ensure({ uid, volumes }: GroupPlan, halt: AbortSignal): Promise<void> {
    if (volumes.length === 0) return;
    const existing = new Set((await this.list(uid)).map(({ Name }) => Name));
    const contents: Content[] = [];
    try {
      for (const volume of volumes) {
        const content = await this.#prepare(uid, volume, existing, halt);
        if (content) contents.push(content);
      }
      if (contents.length > 0) await this.#fill(uid, contents, halt);
    } catch (error) {
      if (error instanceof EngineError) throw new MountProblem(`A volume cannot be created: ${error.message}`);
      throw error;
    } finally {
      for (const content of contents) await content.dispose?.();
    }
  }

  /** Volumes of a group are found by name: an engine creates a missing volume together with a container, without labels. */
  async list(uid?: string): Promise<EngineVolume[]> {
    if (uid === undefined) return this.#withLabels(this.#names.filter());
    const prefix = this.#names.volume(uid, '');
    const found = await this.#find({ name: [prefix] });
    return found.filter(({ Name, Labels }) => Name.startsWith(prefix) && this.#names.mayOwn(Labels));
  }

  /** Volumes of all jars whose groups do not outlive their process. */
  listOfProcesses(): Promise<EngineVolume[]> {
    return this.#withLabels([LABEL.process]);
  }

  async #withLabels(label: readonly string[]): Promise<EngineVolume[]> {
    return (await this.#find({ label })).filter(({ Labels }) => hasLabels(Labels, label));
  }

  async #find(wanted: Readonly<Record<string, readonly string[]>>): Promise<EngineVolume[]> {
    const query = { filters: filters(wanted) };
    const { Volumes } = await this.#client.json<{ Volumes: EngineVolume[] | null }>('GET', '/volumes', { query });
    return Volumes ?? [];
  }

  /** Markers are removed first: a volume that stays behind without its marker is filled again before its next use. */
  async remove(volumes: readonly EngineVolume[]): Promise<void> {
    const marks = volumes.filter(({ Name }) => isFilledMark(Name));
    const others = volumes.filter(({ Name }) => !isFilledMark(Name));
    for (const part of [marks, others]) await Promise.all(part.map(({ Name }) => this.#removeOne(Name)));
  }

  async #removeOne(name: string): Promise<void> {
    await this.#client.text('DELETE', `/volumes/${name}`, { query: { force: true } }).catch((error: unknown) => {
      if (!(error instanceof EngineError && error.status === 404)) throw error;
    });
  }

  mounts(group: GroupPlan, plans: readonly MountPlan[]): EngineMounts {
    const Mounts: EngineMount[] = [];
    const Binds: string[] = [];
    for (const { volume: name, path, readOnly } of plans) {
      const volume = group.volumes.find((it) => it.name === name);
      if (!volume) throw new MountProblem(`The volume '${name}' does not exist`);
      if (volume.kind === 'azureFile') {
        const Source = this.#shareFolder(volume);
        Mounts.push({ Type: 'bind', Source, Target: path, ReadOnly: readOnly || volume.readOnly });
      } else {
        // `nocopy`: a volume starts empty or with its own content, not with the image's files at that path. Podman honours it only in
        // `Binds`.
        Binds.push(`${this.#nameOf(group.uid, volume)}:${path}:${readOnly ? 'ro' : 'rw'},nocopy`);
      }
    }
    return { Mounts, Binds };
  }

  /** Returns the content that the volume must be filled with; undefined if it needs none. */
  async #prepare(
    uid: string,
    volume: VolumePlan,
    existing: ReadonlySet<string>,
    halt: AbortSignal,
  ): Promise<Content | undefined> {
    if (volume.kind === 'azureFile') {
      await this.#checkShare(volume);
      return undefined;
    }
    const name = this.#nameOf(uid, volume);
    if (existing.has(name) && existing.has(this.#names.filled(name))) return undefined;
    const { Mountpoint } = await this.#create(uid, name);
    if (volume.kind === 'secret') return { volume: name, entries: secretEntries(volume.files) };
    if (volume.kind === 'gitRepo') {
      const { entries, dispose } = await cloneRepository(volume, this.#context.jar.config, halt);
      return { volume: name, entries: [OPEN_TO_ALL, ...entries], dispose };
    }
    // Faster than a filler container, but works only if the engine stores the volume on this machine and this process may change it.
    const isLocal = this.#client.address.kind === 'unix' && Mountpoint !== undefined && Mountpoint !== '';
    const opened = isLocal && (await chmod(Mountpoint, OPEN_TO_ALL.mode).then(succeeded, failed));
    return opened ? undefined : { volume: name, entries: [OPEN_TO_ALL] };
  }

  #create(uid: string, Name: string): Promise<EngineVolume> {
    return this.#client.json('POST', '/volumes/create', { body: { Name, Labels: this.#names.labels(uid) } });
  }

  async #fill(uid: string, contents: readonly Content[], signal: AbortSignal): Promise<void> {
    const place = (index: number): string => `/volumes/${index}`;
    const filler = await this.#makeFiller(
      uid,
      contents.map(({ volume }, index) => ({ Type: 'volume', Source: volume, Target: place(index), ReadOnly: false })),
    );
    try {
      for (const [index, { entries }] of contents.entries()) {
        const options = { query: { path: place(index) }, bytes: tarStream(entries), signal, answerMs: 0 };
        await this.#client.text('PUT', `/containers/${filler}/archive`, options);
      }
    } finally {
      await this.#client.text('DELETE', `/containers/${filler}`, { query: { force: true } });
    }
    for (const { volume } of contents) await this.#create(uid, this.#names.filled(volume));
  }

  #nameOf(uid: string, volume: VolumePlan): string {
    return this.#names.volume(uid, volume.name, versionOf(uid, volume));
  }

  #shareFolder({ name, storageAccountName, shareName }: Extract<VolumePlan, { kind: 'azureFile' }>): string {
    const share = `${storageAccountName}/${shareName}`;
    const { settings, settingsPath } = this.#context;
    const folder = settings.shares?.[share];
    if (folder === undefined)
      throw new MountProblem(
        `The volume '${name}' needs a folder for the share '${share}': set one at ${settingsPath}.shares["${share}"] in the configuration of the jar`,
      );
    return folder;
  }

  async #checkShare(volume: Extract<VolumePlan, { kind: 'azureFile' }>): Promise<void> {
    const folder = this.#shareFolder(volume);
    if (this.#client.address.kind !== 'unix') return;
    if ((await stat(folder).catch(() => undefined))?.isDirectory()) return;
    throw new MountProblem(
      `The volume '${volume.name}' cannot be mounted: ${this.#context.settingsPath}.shares names ${folder}, which is not a folder`,
    );
  }
}

const succeeded = (): boolean => true;
const failed = (): boolean => false;

/** Different content means a different volume, so that a deployment never sees the content of an earlier one. */
function versionOf(uid: string, volume: VolumePlan): string | undefined {
  if (volume.kind === 'secret') {
    const files = Object.keys(volume.files).sort();
    return digest([uid, ...files.flatMap((file) => [file, volume.files[file] ?? ''])]);
  }
  if (volume.kind !== 'gitRepo') return undefined;
  return digest([uid, volume.repository, volume.directory ?? '', volume.revision ?? '']);
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

function secretEntries(files: Readonly<Record<string, string>>): TarEntry[] {
  return Object.entries(files).map(([path, content]): TarEntry => {
    if (path === '' || path === '.' || path === '..' || /[/\0]/.test(path))
      throw new MountProblem(`'${path}' cannot be the name of a file in a secret volume`);
    return { kind: 'file', path, mode: SECRET_MODE, content: Buffer.from(content, 'base64') };
  });
}
