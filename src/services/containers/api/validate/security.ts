import { shown } from '../../../../kernel/arm/body/index.ts';
import type { ApiError } from '../../../../kernel/http/index.ts';
import { containerErrors } from '../../errors.ts';
import type { GroupBody } from '../schema.ts';

/** If the jar is reachable by others, containers may not get privileges that would control the jar's machine. */
export function wrongPrivileges(body: GroupBody, allowPrivileged: boolean): ApiError[] {
  if (allowPrivileged) return [];
  const { containers = [], initContainers = [] } = body.properties ?? {};
  const lists = { containers, initContainers };
  const containersRefused = Object.entries(lists).flatMap(([list, entries]) =>
    entries.flatMap(({ name: container = '', properties }, index) => {
      const { privileged, capabilities } = properties?.securityContext ?? {};
      const refuse = (what: string, field: string): ApiError =>
        containerErrors.PrivilegedContainerNotAllowed(
          { container, what },
          { target: `properties.${list}[${index}].properties.securityContext.${field}` },
        );
      return [
        ...(privileged ? [refuse('privileges', 'privileged')] : []),
        ...(capabilities?.add?.length ? [refuse('more capabilities', 'capabilities.add')] : []),
      ];
    }),
  );
  return [...containersRefused, ...localRepositories(body)];
}

/** Repositories on the jar's own disk are allowed only while the jar is not open to others. */
const localRepositories = (body: GroupBody): ApiError[] =>
  (body.properties?.volumes ?? []).flatMap(({ gitRepo: { repository = '' } = {} }, index) => {
    if (!/^file:/i.test(repository)) return [];
    const rule = 'this jar clones only from other machines (see allowPrivileged in its settings)';
    const target = `properties.volumes[${index}].gitRepo.repository`;
    return [containerErrors.InvalidGitRepository({ value: shown(repository), rule }, { target })];
  });
