import type { Jar } from '../../../kernel/service/index.ts';
import { openSettings } from '../../../kernel/settings/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import type { Principal } from '../access/principal.ts';
import { datasets, personalKey, type Workspace, workspaces } from '../collections.ts';
import { newDataset, pushesOf, putDataset } from '../datasets/make.ts';
import type { Dataset } from '../model/types.ts';
import type { StoringJar } from '../rows/append.ts';
import { DATASETS_SETTINGS, type Settings } from '../settings-table.ts';
import { takeName } from '../workspaces/name.ts';
import { asMistake, mistakeAt, readDrafts, type SeededDataset } from './drafts.ts';
import { seededId } from './ids.ts';
import { datasetUsers, ownerIn, tenantOf, userAnywhere, workspaceUsers } from './people.ts';
import type { SeedContent, SeedMyWorkspace, SeedWorkspace } from './section.ts';

/** Validates everything that does not need the directory, before the transaction begins. */
export async function prepareSeed(content: SeedContent) {
  const [inWorkspaces, inMine] = await readDrafts(content);
  return async (tx: Tx, jar: Jar, now: number): Promise<void> => {
    const settings = await openSettings(DATASETS_SETTINGS, jar).within(tx);
    const seeding = new Seeding(tx, { limits: jar.limits, clock: { now: () => now } }, settings);
    for (const [i, each] of (content.workspaces ?? []).entries())
      await seeding.addWorkspace(each, inWorkspaces[i] ?? [], `workspaces[${i}]`);
    for (const [i, each] of (content.myWorkspaces ?? []).entries())
      await seeding.addMyWorkspace(each, inMine[i] ?? [], `myWorkspaces[${i}]`);
  };
}

class Seeding {
  readonly #tx: Tx;
  readonly #jar: StoringJar;
  readonly #settings: Settings;

  constructor(tx: Tx, jar: StoringJar, settings: Settings) {
    this.#tx = tx;
    this.#jar = jar;
    this.#settings = settings;
  }

  async addWorkspace(given: SeedWorkspace, contents: readonly SeededDataset[], at: string): Promise<void> {
    const tenantId = await tenantOf(this.#tx, given, at);
    const users = await workspaceUsers(this.#tx, tenantId, given.users, at);
    const name = given.name.trim();
    const id = (given.id ?? seededId('workspace', tenantId, name)).toLowerCase();
    if (await this.#tx.get(workspaces, id)) throw mistakeAt(`${at}.id`, `another workspace has the id '${id}'`);
    await asMistake(`${at}.name`, () => takeName(this.#tx, tenantId, name));
    const createdAt = this.#jar.clock.now();
    const workspace: Workspace = { id, tenantId, kind: 'group', name, users, createdAt };
    await this.#tx.put(workspaces, id, workspace);
    for (const each of contents) await this.#addDataset(each, id, workspace, ownerIn(users, each));
  }

  async addMyWorkspace({ user }: SeedMyWorkspace, contents: readonly SeededDataset[], at: string): Promise<void> {
    const owner = await userAnywhere(this.#tx, user, `${at}.user`);
    const key = personalKey(owner.principalId);
    if (await this.#tx.get(workspaces, key))
      throw mistakeAt(`${at}.user`, `'${user}' already has a "My workspace" in the seed`);
    const { tenantId, ...principal } = owner;
    const users = [{ ...principal, right: 'Admin' as const }];
    const id = seededId('my workspace', tenantId, owner.principalId);
    const createdAt = this.#jar.clock.now();
    const workspace: Workspace = { id, tenantId, kind: 'personal', name: 'My workspace', users, createdAt };
    await this.#tx.put(workspaces, key, workspace);
    for (const each of contents) await this.#addDataset(each, key, workspace, ownerIn(users, each));
  }

  /** Validated by the rules of the create request. */
  async #addDataset(seeded: SeededDataset, key: string, workspace: Workspace, owner: Principal): Promise<void> {
    const { given, draft, parameters, bytes, at } = seeded;
    const { tenantId } = workspace;
    const id = (given.id ?? seededId('dataset', key, at, draft.name)).toLowerCase();
    if (await this.#tx.get(datasets, id)) throw mistakeAt(`${at}.id`, `another dataset has the id '${id}'`);
    const users = await datasetUsers(this.#tx, tenantId, given.users ?? [], at);
    await asMistake(at, async () => {
      const made = newDataset(draft, {
        id,
        tenantId,
        workspace: key,
        ownerId: owner.principalId,
        configuredBy: owner.emailAddress ?? owner.displayName,
        createdAt: this.#jar.clock.now(),
        retention: given.defaultRetentionPolicy ?? 'None',
        isPending: false,
      });
      const dataset: Dataset = {
        ...made,
        ...(given.description !== undefined && { description: given.description }),
        targetStorageMode: given.targetStorageMode ?? made.targetStorageMode,
        encryption: given.encryption ?? made.encryption,
        queryScaleOutSettings: { ...made.queryScaleOutSettings, ...given.queryScaleOutSettings },
        upstreamDataflows: given.upstreamDataflows ?? [],
        parameters,
        users,
      };
      // The seed file is parsed as ordinary JSON, so a number with more digits than a double holds must be written as text.
      const written = { bytes, exact: (i: number) => draft.tables[i]?.rows ?? [] };
      await putDataset(this.#tx, this.#jar, this.#settings, dataset, pushesOf(dataset, draft.tables, written));
    });
  }
}
