import * as library from '@kubernetes/client-node';
import { Pod } from 'kubernetes-models/v1/Pod';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { type Kind, StatusError, type Stored } from './object-store.ts';

const MODELS = { pods: Pod, secrets: Secret, services: Service };
const CLASSES = { pods: 'V1Pod', secrets: 'V1Secret', services: 'V1Service' };

type Admitted = keyof typeof MODELS;

const isAdmitted = (kind: Kind): kind is Admitted => kind in MODELS;

/** Rejects what a cluster would reject: by the published schemas, by unknown fields, and by rules that no schema contains. */
export function admit(kind: Kind, object: Stored): void {
  if (!isAdmitted(kind)) return;
  const problems = problemsOf(kind, object);
  if (problems.length === 0) return;
  const name = object.metadata?.name;
  throw new StatusError(422, 'Invalid', `${object.kind} "${name}" is invalid: ${problems.join('; ')}`);
}

export function problemsOf(kind: Admitted, object: object): string[] {
  const plain = JSON.parse(JSON.stringify(object)) as Stored;
  return [...schemaProblems(kind, plain), ...unknownFields(plain, CLASSES[kind], ''), ...RULES[kind](plain)];
}

function schemaProblems(kind: Admitted, object: Stored): string[] {
  try {
    const { apiVersion: _version, kind: _kind, ...data } = object;
    // biome-ignore lint/suspicious/noExplicitAny: the schema is what decides whether it is one
    new MODELS[kind](data as any).validate();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

interface TypeMapped {
  getAttributeTypeMap(): { baseName: string; type: string }[];
}

/** The generated models list every field. */
function unknownFields(value: unknown, type: string, path: string): string[] {
  const element = /^Array<(.+)>$/.exec(type)?.[1] ?? /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
  if (element !== undefined) {
    return Object.entries(value as object).flatMap(([key, each]) => unknownFields(each, element, `${path}[${key}]`));
  }
  const model = (library as unknown as Record<string, TypeMapped | undefined>)[type];
  if (typeof model?.getAttributeTypeMap !== 'function' || typeof value !== 'object' || value === null) return [];
  const fields = new Map(model.getAttributeTypeMap().map(({ baseName, type }) => [baseName, type]));
  return Object.entries(value).flatMap(([name, each]) => {
    const known = fields.get(name);
    return known === undefined ? [`unknown field "${path}.${name}"`] : unknownFields(each, known, `${path}.${name}`);
  });
}

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
const SECRET_KEY = /^[-._a-zA-Z0-9]{1,253}$/;
const MOST_SECRET_BYTES = 1024 * 1024;

// biome-ignore lint/suspicious/noExplicitAny: what is looked at is whatever was sent
type Any = any;

const RULES: Record<Admitted, (object: Stored) => string[]> = {
  pods: podProblems,
  secrets: (secret) => {
    const keys = Object.entries<string>(secret.data ?? {});
    const size = keys.reduce((sum, [, value]) => sum + Buffer.from(value, 'base64').length, 0);
    return [
      ...metadataProblems(secret, SUBDOMAIN),
      ...keys.filter(([key]) => !SECRET_KEY.test(key)).map(([key]) => `data[${key}] is no key`),
      ...keys
        .filter(([, value]) => Buffer.from(value, 'base64').toString('base64') !== value)
        .map(([key]) => `data[${key}] is not base64`),
      ...when(size > MOST_SECRET_BYTES, 'data is too long'),
      ...when(
        secret.type === 'kubernetes.io/dockerconfigjson' && !secret.data?.['.dockerconfigjson'],
        'data[.dockerconfigjson] is missing',
      ),
    ];
  },
  services: (service) => {
    const ports: Any[] = service.spec?.ports ?? [];
    return [
      ...metadataProblems(service, /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/),
      ...when(ports.length === 0, 'spec.ports is required'),
      ...when(ports.length > 1 && ports.some((it) => !it.name), 'spec.ports.name is required'),
      ...repeated(ports.map((it) => it.name)).map((it) => `spec.ports.name ${it} twice`),
      ...repeated(ports.map((it) => `${it.protocol}/${it.port}`)).map((it) => `spec.ports ${it} twice`),
      ...ports.filter((it) => it.name?.length > 15 || !LABEL.test(it.name)).map((it) => `port name ${it.name}`),
      ...ports.filter((it) => !isPort(it.port)).map((it) => `port ${it.port}`),
    ];
  },
};

function metadataProblems({ metadata }: Stored, pattern: RegExp): string[] {
  const size = Object.entries(metadata.annotations ?? {}).reduce((sum, pair) => sum + pair.join('').length, 0);
  return [
    ...when(!pattern.test(metadata.name), `metadata.name ${metadata.name}`),
    ...Object.values(metadata.labels ?? {})
      .filter((value) => !LABEL_VALUE.test(value))
      .map((value) => `label value ${value}`),
    ...when(size > 256 * 1024, 'annotations are too long'),
  ];
}

function podProblems(pod: Stored): string[] {
  const { spec } = pod;
  const init: Any[] = spec.initContainers ?? [];
  const containers: Any[] = spec.containers ?? [];
  const all = [...init, ...containers];
  const volumes: Any[] = spec.volumes ?? [];
  return [
    ...metadataProblems(pod, SUBDOMAIN),
    ...when(containers.length === 0, 'spec.containers is required'),
    ...when(spec.hostname !== undefined && !LABEL.test(spec.hostname), `hostname ${spec.hostname}`),
    ...when(!['Always', 'OnFailure', 'Never'].includes(spec.restartPolicy), `restartPolicy ${spec.restartPolicy}`),
    ...when(spec.dnsPolicy === 'None' && !spec.dnsConfig?.nameservers?.length, 'dnsConfig.nameservers is required'),
    ...when(spec.dnsConfig?.nameservers?.length > 3, 'at most 3 nameservers'),
    ...repeated(all.map(({ name }) => name)).map((name) => `container name ${name} twice`),
    ...repeated(volumes.map(({ name }) => name)).map((name) => `volume name ${name} twice`),
    ...volumes.filter(({ name }) => !LABEL.test(name)).map(({ name }) => `volume name ${name}`),
    ...volumes.filter((it) => Object.keys(it).length !== 2).map(({ name }) => `volume ${name} is not of one kind`),
    ...init.filter((it) => it.livenessProbe || it.readinessProbe).map(({ name }) => `probe of init container ${name}`),
    ...all.flatMap((it) => containerProblems(it, spec, volumes)),
  ];
}

function containerProblems(container: Any, spec: Any, volumes: readonly Any[]): string[] {
  const { name, image, volumeMounts = [], ports = [], env = [], resources = {}, securityContext } = container;
  const said = [
    ...when(!LABEL.test(name), 'name'),
    ...when(!image, 'image is required'),
    ...volumeMounts
      .filter((mount: Any) => !volumes.some((it) => it.name === mount.name))
      .map((mount: Any) => `volume ${mount.name} is not there`),
    ...repeated(volumeMounts.map((it: Any) => it.mountPath)).map((path) => `mountPath ${path} twice`),
    ...repeated(env.map((it: Any) => it.name)).map((it) => `env ${it} twice`),
    ...env.filter((it: Any) => !/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(it.name)).map((it: Any) => `env ${it.name}`),
    ...ports.filter((it: Any) => !isPort(it.containerPort)).map((it: Any) => `port ${it.containerPort}`),
    ...Object.entries<string>(resources.requests ?? {})
      .filter(([key, value]) => resources.limits?.[key] && quantity(value) > quantity(resources.limits[key]))
      .map(([key]) => `${key}: the request is above the limit`),
    ...when(
      container.livenessProbe && container.livenessProbe.successThreshold !== 1,
      'livenessProbe.successThreshold must be 1',
    ),
    ...[container.livenessProbe, container.readinessProbe].filter(Boolean).flatMap(probeProblems),
    ...when(
      securityContext?.privileged && securityContext.allowPrivilegeEscalation === false,
      'privileged and no escalation',
    ),
    ...when(spec.os?.name === 'windows' && securityContext, 'securityContext on windows'),
  ];
  return said.map((problem) => `container ${name}: ${problem}`);
}

function probeProblems(probe: Any): string[] {
  const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'].filter((it) => probe[it] !== undefined);
  return [
    ...when(handlers.length !== 1, 'a probe has one handler'),
    ...when(probe.httpGet && !isPort(probe.httpGet.port), 'probe port'),
    ...when(probe.initialDelaySeconds < 0, 'initialDelaySeconds'),
    ...['periodSeconds', 'timeoutSeconds', 'successThreshold', 'failureThreshold'].filter((it) => probe[it] < 1),
  ];
}

const when = (is: unknown, problem: string): string[] => (is ? [problem] : []);

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65535;

const repeated = (list: readonly string[]): string[] => list.filter((it, index) => list.indexOf(it) !== index);

const quantity = (text: string): number => (text.endsWith('m') ? Number(text.slice(0, -1)) / 1000 : Number(text));
