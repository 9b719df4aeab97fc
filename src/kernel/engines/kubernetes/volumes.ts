import type { V1Container, V1Secret, V1Volume } from '@kubernetes/client-node';
import type { VolumePlan } from '../plan.ts';
import { MountProblem } from '../types.ts';
import { type Deployment, GIT_IMAGE } from './names.ts';
import { base64, secretOf } from './secrets.ts';

const GIT_MOUNT = '/volume';

/** A volume of a Pod, with the objects that fill it. */
export interface PodVolume {
  readonly volume: V1Volume;
  readonly secret?: V1Secret;
  /** Containers that run before the init containers of the group. */
  readonly fill?: readonly Pick<V1Container, 'args' | 'workingDir' | 'volumeMounts' | 'image' | 'env'>[];
}

export function volumeOf(deployment: Deployment, plan: VolumePlan): PodVolume {
  const { name } = plan;
  switch (plan.kind) {
    case 'emptyDir':
      return { volume: { name, emptyDir: {} } };
    case 'secret':
      return secretVolume(deployment, name, plan.files);
    case 'azureFile':
      return fileShare(deployment, plan);
    case 'gitRepo':
      return { volume: { name, emptyDir: {} }, fill: gitSteps(plan) };
  }
}

/** Keys of a Secret allow fewer characters than file names, so the keys are numbered and mapped to the names. */
function secretVolume(deployment: Deployment, name: string, files: Readonly<Record<string, string>>): PodVolume {
  const entries = Object.entries(files).map(([path, content], index) => ({ key: `file-${index}`, path, content }));
  const secret = secretOf(
    deployment,
    `volume-${name}`,
    Object.fromEntries(entries.map(({ key, content }) => [key, Buffer.from(content, 'base64').toString('base64')])),
  );
  const items = entries.map(({ key, path }) => ({ key, path }));
  const secretName = secret.metadata!.name!;
  return { secret, volume: { name, secret: { secretName, ...(items.length > 0 && { items }) } } };
}

function fileShare(deployment: Deployment, plan: VolumePlan & { kind: 'azureFile' }): PodVolume {
  const { name, shareName, storageAccountName, storageAccountKey, readOnly } = plan;
  if (storageAccountKey === undefined) {
    throw new MountProblem(`volume ${name}: share ${shareName} needs the key of account ${storageAccountName}`);
  }
  const secret = secretOf(deployment, `volume-${name}`, {
    azurestorageaccountname: base64(storageAccountName),
    azurestorageaccountkey: base64(storageAccountKey),
  });
  return { secret, volume: { name, azureFile: { secretName: secret.metadata!.name!, shareName, readOnly } } };
}

/** Arguments go to git directly: no shell parses them, and `--` or a check keeps each from being read as an option. */
function gitSteps({ name, repository, directory, revision }: VolumePlan & { kind: 'gitRepo' }): PodVolume['fill'] {
  const folder = directory || folderOfRepository(repository);
  if (folder.startsWith('/') || folder.split('/').includes('..')) {
    throw new MountProblem(`volume ${name}: directory ${folder} is outside of the volume`);
  }
  if (revision?.startsWith('-')) throw new MountProblem(`volume ${name}: ${revision} is not a revision`);
  const step = (args: string[]) => ({
    image: GIT_IMAGE,
    args: args.map(literal),
    env: [{ name: 'GIT_TERMINAL_PROMPT', value: '0' }],
    workingDir: GIT_MOUNT,
    volumeMounts: [{ name, mountPath: GIT_MOUNT }],
  });
  const clone = step(['clone', '--', repository, folder]);
  return revision ? [clone, step(['-C', folder, 'checkout', '--detach', revision])] : [clone];
}

function folderOfRepository(repository: string): string {
  const path = repository.replace(/\/+$/, '').replace(/\/?\.git$/, '');
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf(':')) + 1) || '.';
}

/** Escapes `$`: Kubernetes expands `$(NAME)` in a command. */
export const literal = (text: string): string => text.replaceAll('$', '$$$$');
