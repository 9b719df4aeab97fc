import { loadYaml } from '@kubernetes/client-node';
import { expect, it } from 'vitest';
import { GIT_IMAGE, GPU_SKU_NODE_LABEL } from '../../../../src/kernel/engines/kubernetes/names.ts';
import { blocksOf } from '../../../docs/examples.ts';
import { containerPlan, Group, groupPlan, withCluster } from './harness.ts';

const bench = withCluster();

const PAGE = 'docs/services/containers-engines.md';
const VERBS: Record<string, string> = { POST: 'create', PATCH: 'patch', DELETE: 'delete', UPGRADE: 'get' };

/** The permission that a request needs, for example `list pods`. */
function rightFor(request: string): string | undefined {
  const [method = '', path = ''] = request.split(' ');
  const [, kind, name, part] = /^\/api\/v1\/namespaces\/[^/]+\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
  if (!kind) return undefined;
  const verb = VERBS[method] ?? (name === undefined ? 'list' : 'get');
  return `${verb} ${part ? `${kind}/${part}` : kind}`;
}

it('the Role in the docs allows what the engine does, and no more', async () => {
  const [block] = (await blocksOf(PAGE)).filter(({ language }) => language === 'yaml');
  const role = loadYaml<{ rules: { resources: string[]; verbs: string[] }[] }>(block?.code ?? '');
  const allowed = role.rules.flatMap(({ resources, verbs }) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
  );
  const network = { address: 'Public' as const, ports: [{ port: 80, protocol: 'TCP' as const }], dns: undefined };
  const containers = [containerPlan('web', { env: [{ name: 'A', value: 'b' }] })];
  const engine = await bench.engine();
  const group = new Group(engine, groupPlan({ network, containers }));
  await group.running();
  group.restart();
  await group.running();
  await (await engine.exec(group.target('web'), { command: ['sh'], rows: 1, cols: 1 })).exitCode();
  await (await engine.attach(group.target('web'))).exitCode();
  group.wanted = 'Stopped';
  await group.until(({ status }) => status.sandbox === 'absent');
  group.wanted = 'Running';
  group.generation += 1;
  await group.running();
  await engine.remove(group.plan.uid);
  const used = new Set(bench.cluster.requests.flatMap((request) => rightFor(request) ?? []));
  // Requests do not show whether a list is a watch; and a stream over a WebSocket needs one of two verbs, depending on the version.
  const isCovered = (right: string): boolean => /^watch |^create pods\/(exec|attach)$/.test(right) || used.has(right);
  expect([...used].filter((right) => !allowed.includes(right))).toEqual([]);
  expect(allowed.filter((right) => !isCovered(right))).toEqual([]);
});

it('the names that a cluster has to know are those in the docs', async () => {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(new URL(`../../../../${PAGE}`, import.meta.url), 'utf8');
  for (const name of [GIT_IMAGE, GPU_SKU_NODE_LABEL]) expect(text).toContain(`\`${name}\``);
});
