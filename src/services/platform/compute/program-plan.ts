import type { GroupPlan } from '../../../kernel/engines/index.ts';

/** Resources of a task's or context's container. */
const SHARE = { cpu: 1, memoryBytes: 2 * 1024 ** 3 } as const;

export interface ContainedProgram {
  readonly uid: string;
  readonly resourceId: string;
  /** Name of the container group, which has one container. */
  readonly name: string;
  readonly container: string;
  readonly image: string;
  /** Default: the command of the image. */
  readonly command?: readonly string[] | undefined;
  /** Texts by name, available in `/cloudjar`. */
  readonly files: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
}

/** A container that runs one program, for a task of a job or for an execution context. */
export function programPlan(program: ContainedProgram): GroupPlan {
  const { uid, resourceId, name, container, image, command, environment } = program;
  const files = Object.entries(program.files).map(([file, text]) => [file, Buffer.from(text).toString('base64')]);
  const hasFiles = files.length > 0;
  return {
    uid,
    resourceId,
    name,
    osType: 'Linux',
    restartPolicy: 'Never',
    init: [],
    containers: [
      {
        name: container,
        image,
        command,
        env: Object.entries(environment).map(([variable, value]) => ({ name: variable, value })),
        ports: [],
        resources: { requests: SHARE, limits: SHARE, gpu: undefined },
        mounts: hasFiles ? [{ volume: 'program', path: '/cloudjar', readOnly: true }] : [],
        security: undefined,
        liveness: undefined,
        readiness: undefined,
      },
    ],
    volumes: hasFiles ? [{ name: 'program', kind: 'secret', files: Object.fromEntries(files) }] : [],
    network: { address: 'None', ports: [], dns: undefined },
    registries: [],
  };
}
