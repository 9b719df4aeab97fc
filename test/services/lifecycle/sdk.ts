import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Bench, Reply } from '../../support/jars.ts';

/** Posts logs as the service's public SDKs do: same headers, names and log types. */

/** Device properties that an SDK sends with every log. */
export type SentDevice = Readonly<Record<string, unknown>>;

/** One log as sent. `post` adds the time (the jar's time) and the device if they are missing. */
export type SentLog = Readonly<Record<string, unknown>>;

const A_DEVICE = {
  sdkName: 'appcenter.android',
  sdkVersion: '5.0.4',
  model: 'Pixel 6',
  oemName: 'Google',
  osName: 'Android',
  osVersion: '13',
  osBuild: 'TQ3A.230901.001',
  osApiLevel: 33,
  locale: 'en_US',
  timeZoneOffset: 60,
  screenSize: '1080x2400',
  appVersion: '1.0',
  appBuild: '1',
  appNamespace: 'com.example.app',
  carrierName: 'Example Mobile',
  carrierCountry: 'us',
};

/** A phone with the given differences. */
export const device = (given: SentDevice = {}): SentDevice => ({ ...A_DEVICE, ...given });

const log = (type: string, given: SentLog): SentLog => ({ type, ...given });

export const startService = (services: readonly string[] = ['Analytics', 'Crashes'], given: SentLog = {}): SentLog =>
  log('startService', { services, ...given });

/** A new session unless `sid` is given. */
export const startSession = (given: SentLog = {}): SentLog => log('startSession', { sid: randomUUID(), ...given });

/** Properties are texts, as in `trackEvent`; they are sent as typed properties. */
export const event = (name: string, properties: Readonly<Record<string, string>> = {}, given: SentLog = {}): SentLog =>
  log('event', {
    id: randomUUID(),
    name,
    typedProperties: Object.entries(properties).map(([key, value]) => ({ type: 'string', name: key, value })),
    ...given,
  });

export const page = (name: string, given: SentLog = {}): SentLog => log('page', { name, ...given });

/** Values by name; null removes a property. */
export const customProperties = (
  values: Readonly<Record<string, string | number | boolean | Date | null>>,
  given: SentLog = {},
): SentLog =>
  log('customProperties', {
    properties: Object.entries(values).map(([name, value]) => ({ name, ...typed(value) })),
    ...given,
  });

function typed(value: string | number | boolean | Date | null): object {
  if (value === null) return { type: 'clear' };
  if (value instanceof Date) return { type: 'dateTime', value: value.toISOString() };
  return { type: typeof value, value };
}

export interface SentFrame {
  readonly className: string;
  readonly methodName: string;
  readonly fileName?: string;
  readonly lineNumber?: number;
}

const FRAMES: readonly SentFrame[] = [
  { className: 'com.example.app.MainActivity', methodName: 'onClick', fileName: 'MainActivity.java', lineNumber: 42 },
  { className: 'android.view.View', methodName: 'performClick', fileName: 'View.java', lineNumber: 7448 },
];

/** An exception. */
export const exception = (
  type = 'java.lang.IllegalStateException',
  message = 'it went wrong',
  frames: readonly SentFrame[] = FRAMES,
  given: SentLog = {},
): SentLog => ({ type, message, frames, ...given });

/** A crash of a managed app with `given.exception`. */
export const managedError = (given: SentLog = {}): SentLog =>
  log('managedError', {
    id: randomUUID(),
    processId: 4711,
    processName: 'com.example.app',
    errorThreadId: 2,
    errorThreadName: 'main',
    fatal: true,
    appLaunchTimestamp: '2024-01-01T00:00:00.000Z',
    architecture: 'arm64-v8a',
    exception: exception(),
    threads: [{ id: 2, name: 'main', frames: FRAMES }],
    ...given,
  });

/** An error that the app caught and reported. */
export const handledError = (properties: Readonly<Record<string, string>> = {}, given: SentLog = {}): SentLog =>
  log('handledError', { id: randomUUID(), exception: exception(), properties, ...given });

/** A crash of an app for iOS, macOS or tvOS. */
export const appleError = (given: SentLog = {}): SentLog =>
  log('appleError', {
    id: randomUUID(),
    processId: 4712,
    processName: 'Example',
    fatal: true,
    appLaunchTimestamp: '2024-01-01T00:00:00.000Z',
    architecture: 'arm64',
    primaryArchitectureId: 16777228,
    applicationPath: '/var/containers/Bundle/Application/Example.app/Example',
    osExceptionType: 'SIGABRT',
    osExceptionCode: '0',
    osExceptionAddress: '0x00000001a2b3c4d5',
    exceptionType: 'NSInvalidArgumentException',
    exceptionReason: 'unrecognized selector sent to instance',
    threads: [{ id: 0, name: 'main', frames: [{ address: '0x00000001a2b3c4d5', code: '-[Main tap:]' }] }],
    binaries: [
      {
        id: '3f2b9a4e-1c5d-4e6f-8a7b-9c0d1e2f3a4b',
        startAddress: '0x0000000100000000',
        endAddress: '0x0000000100ffffff',
        name: 'Example',
        path: '/var/containers/Bundle/Application/Example.app/Example',
        architecture: 'arm64',
      },
    ],
    ...given,
  });

/** A text attachment of the crash or error with this id. */
export const errorAttachment = (errorId: string, text: string, given: SentLog = {}): SentLog =>
  log('errorAttachment', {
    id: randomUUID(),
    errorId,
    contentType: 'text/plain',
    fileName: 'notes.txt',
    data: Buffer.from(text).toString('base64'),
    ...given,
  });

export interface PostOptions {
  /** SDKs compress from 1,400 bytes on. */
  readonly gzip?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `app` is the result of `makeApp`. */
export async function post(
  bench: Bench,
  app: { readonly app_secret: string },
  installId: string,
  logs: readonly SentLog[],
  { gzip = false, headers = {} }: PostOptions = {},
): Promise<Reply> {
  const timestamp = bench.jar.clock.now().toISOString();
  const completed = logs.map((each) => ({ timestamp, device: device(), ...each }));
  const text = JSON.stringify({ logs: completed });
  return postBody(bench, gzip ? gzipSync(text) : text, {
    'app-secret': app.app_secret,
    'install-id': installId,
    ...(gzip && { 'content-encoding': 'gzip' }),
    ...headers,
  });
}

/** Posts arbitrary bytes. */
export async function postBody(
  bench: Bench,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const response = await fetch(`${bench.jar.url}/logs?api-version=1.0.0`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}
