import { numericId } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { HOUR_MS } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { checkBound } from '../limits/take.ts';
import { type TreeNode, treeNodes } from '../tree/collections.ts';
import { keyOf, newDirectory, newNode, schedulePurge } from '../tree/nodes.ts';
import { pathOf } from '../tree/paths.ts';
import { MOST_IMPORTED } from '../workspace/import.ts';
import { checkNames, treeOf } from '../workspace/places.ts';
import { readAuto } from '../workspace/read-format.ts';
import { checkImported, type Imported, storedContent } from '../workspace/write.ts';
import type { GitSnapshot } from './remote.ts';
import { type Cone, isInCone } from './sparse.ts';
import { ABANDON_CHECKOUT, abandonCheckoutId } from './work.ts';

/**
 * Writes the files of a commit to a directory that is not linked yet; a transaction of the caller then makes it the content of the repo. So
 * a checkout becomes visible completely or not at all, and due work removes one that was refused or killed half way.
 */

/** Files and bytes per transaction. */
const SLICE_FILES = 100;
const SLICE_BYTES = 1024 * 1024;
/** A checkout is abandoned after this long without a write. */
const UNFINISHED_MS = HOUR_MS;

export interface CheckoutTarget {
  /** The id of the repo. */
  readonly repo: string;
  /** The path of the repo. */
  readonly names: readonly string[];
  readonly cone: Cone | undefined;
  /** The current content of the repo, by relative path: objects that remain keep their ids, permissions and dates. */
  readonly before: ReadonlyMap<string, TreeNode>;
}

/** Files that are not linked yet. */
export interface Checkout {
  readonly inside: string;
  readonly files: number;
}

interface GitFile {
  readonly names: readonly string[];
  readonly oid: string;
}

export async function checkOut(call: PlatformCall, snapshot: GitSnapshot, target: CheckoutTarget): Promise<Checkout> {
  const { store } = call.jar;
  const files = await filesOf(call, snapshot, target);
  const inside = numericId();
  await store.transact((tx) => abandonLater(tx, call, { inside }));
  try {
    await new Writer(call, target, inside).write(files, snapshot);
  } catch (error) {
    await discardCheckout(call, { inside });
    throw error;
  }
  return { inside, files: files.length };
}

type Unused = Pick<Checkout, 'inside'>;

async function abandonLater(tx: Tx, call: PlatformCall, { inside }: Unused): Promise<void> {
  const tree = treeOf(call);
  const dueAt = call.jar.clock.now() + UNFINISHED_MS;
  await tx.schedule(ABANDON_CHECKOUT.at(dueAt, { tree, inside }, abandonCheckoutId(tree, inside)));
}

/** Discards a checkout that is not needed. A checkout that a repo uses stays, even if the caller got an error later. */
export const discardCheckout = (call: PlatformCall, { inside }: Unused): Promise<void> =>
  call.jar.store.transact(async (tx) => {
    const tree = treeOf(call);
    const isUnused = await tx.cancel(abandonCheckoutId(tree, inside));
    if (isUnused) await schedulePurge(tx, tree, inside, call.jar.clock.now());
  });

/** Called in the transaction that makes it the content of a repo. Throws if it was already abandoned: it is being removed. */
export async function keepCheckout(tx: Tx, call: PlatformCall, { inside }: Unused): Promise<void> {
  if (!(await tx.cancel(abandonCheckoutId(treeOf(call), inside))))
    throw errors.ABORTED({ reason: 'The checkout took too long and was abandoned: its files were removed.' });
}

/** Names are listed before any file is read, so that a repository with too many files is refused early. */
async function filesOf(
  call: PlatformCall,
  snapshot: GitSnapshot,
  { repo, names, cone }: CheckoutTarget,
): Promise<readonly GitFile[]> {
  const files: GitFile[] = [];
  const scope = [workspaceIn(call).id, repo];
  // Directories without files at any depth. Git creates none, and a few that contain each other many times would make the walk endless.
  const hollow = new Set<string>();
  const walk = async (oid: string, directory: readonly string[]): Promise<void> => {
    checkNames(call, directory.slice(-1), names.length + directory.length);
    const before = files.length;
    let isWhole = true;
    for (const { name, oid: id, type } of await snapshot.tree(oid)) {
      const below = [...directory, name];
      if (type === 'directory') {
        if (!isInCone(below, cone)) isWhole = false;
        else if (!hollow.has(id)) await walk(id, below);
        isWhole &&= files.length > before || hollow.has(id);
      }
      if (type !== 'file') continue;
      checkNames(call, [name], 0);
      files.push({ names: below, oid: id });
      checkBound(call.jar, 'repo-files', scope, files.length);
    }
    if (isWhole && files.length === before) hollow.add(oid);
  };
  await walk(snapshot.head, []);
  return files;
}

class Writer {
  readonly #call: PlatformCall;
  readonly #target: CheckoutTarget;
  /** `inside` of the created directories, by path. */
  readonly #directories: Map<string, string>;
  readonly #taken = new Set<string>();
  readonly #scope: readonly string[];
  readonly #checkout: Unused;
  #nodes: TreeNode[] = [];
  #contents: { readonly head: Omit<TreeNode, 'type'>; readonly imported: Imported }[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #notebooks = 0;

  constructor(call: PlatformCall, target: CheckoutTarget, inside: string) {
    this.#call = call;
    this.#target = target;
    this.#checkout = { inside };
    this.#directories = new Map([['/', inside]]);
    this.#scope = [workspaceIn(call).id, target.repo];
  }

  async write(files: readonly GitFile[], snapshot: GitSnapshot): Promise<void> {
    for (const { names } of files) this.#taken.add(pathOf(names));
    for (const { names, oid } of files) {
      const bytes = await snapshot.blob(oid);
      this.#add(names, oid, bytes);
      this.#waitingBytes += bytes.length;
      if (this.#contents.length >= SLICE_FILES || this.#waitingBytes >= SLICE_BYTES) await this.#flush();
    }
    await this.#flush();
  }

  #add(names: readonly string[], oid: string, bytes: Buffer): void {
    const { jar } = this.#call;
    this.#bytes += bytes.length;
    checkBound(jar, 'repo-size', this.#scope, this.#bytes);
    checkBound(jar, 'workspace-file-size', [workspaceIn(this.#call).id], bytes.length);
    const { name, imported } = this.#read(names, bytes);
    if (imported.type === 'NOTEBOOK') checkBound(jar, 'repo-notebooks', this.#scope, ++this.#notebooks);
    const path = [...names.slice(0, -1), name];
    checkImported(this.#call, [...this.#target.names, ...path], imported);
    const head = { ...this.#newNode(path, imported.type), gitId: oid };
    this.#contents.push({ head, imported });
  }

  /**
   * A notebook loses its extension, unless the resulting name is taken. A file that declares a notebook but is not a valid one stays a
   * file.
   */
  #read(names: readonly string[], bytes: Buffer): { readonly name: string; readonly imported: Imported } {
    const name = names.at(-1) as string;
    const file = { name, imported: { type: 'FILE', content: { bytes } } } as const;
    if (bytes.length > MOST_IMPORTED) return file;
    try {
      const read = readAuto(bytes, name);
      const path = pathOf([...names.slice(0, -1), read.name]);
      if (read.name !== name && this.#taken.has(path)) return file;
      this.#taken.add(path);
      return read;
    } catch {
      return file;
    }
  }

  #newNode(path: readonly string[], type: TreeNode['type']): Omit<TreeNode, 'type'> {
    const parent = this.#directory(path.slice(0, -1));
    const { tree, createdBy, now } = this.#given();
    const node = newNode({ tree, parent, name: path.at(-1) as string, createdBy, now });
    return { ...node, ...this.#kept(path, type) };
  }

  #given() {
    const { jar } = this.#call;
    return { tree: treeOf(this.#call), createdBy: callerIdentity(this.#call).principal.id, now: jar.clock.now() };
  }

  #kept(path: readonly string[], type: TreeNode['type']): Partial<TreeNode> {
    const before = this.#target.before.get(pathOf(path));
    if (before?.type !== type) return {};
    const { id, createdAt, createdBy, acl } = before;
    return { id, createdAt, createdBy, ...(acl && { acl }) };
  }

  #directory(path: readonly string[]): string {
    const known = this.#directories.get(pathOf(path));
    if (known !== undefined) return known;
    const parent = this.#directory(path.slice(0, -1));
    const made = newDirectory({ ...this.#given(), parent, name: path.at(-1) as string });
    this.#nodes.push({ ...made, ...this.#kept(path, 'DIRECTORY') });
    this.#directories.set(pathOf(path), made.inside);
    return made.inside;
  }

  async #flush(): Promise<void> {
    const [nodes, contents] = [this.#nodes, this.#contents];
    [this.#nodes, this.#contents, this.#waitingBytes] = [[], [], 0];
    await this.#call.jar.store.transact(async (tx) => {
      // If earlier files were removed meanwhile, files written after them would be orphaned.
      await keepCheckout(tx, this.#call, this.#checkout);
      await abandonLater(tx, this.#call, this.#checkout);
      const files: TreeNode[] = [];
      for (const { head, imported } of contents) files.push({ ...head, ...(await storedContent(tx, imported)) });
      await tx.putAll(
        treeNodes,
        [...nodes, ...files].map((node) => [keyOf(node), node] as const),
      );
    });
  }
}
