import type { EventsCall } from '../jar.ts';
import { publishErrors } from './errors.ts';
import { Mistakes, quote } from './mistakes.ts';
import type { Plan } from './plan.ts';
import { isBinaryMode, readBinary } from './read-binary.ts';
import { readCloudBatch, readCloudEvent } from './read-cloud.ts';
import { readCustom } from './read-custom.ts';
import { jsonOf, listOf, objectOf } from './read-json.ts';
import { readNative } from './read-native.ts';
import type { Reading } from './reading.ts';

const BATCH_TYPE = /^application\/cloudevents-batch\+json\s*(?:;|$)/i;
const SINGLE_TYPE = /^application\/cloudevents\+json\s*(?:;|$)/i;
const CLOUD_TYPE = /^application\/cloudevents/i;

const CLOUD_HINT =
  "CloudEvents have the content type 'application/cloudevents+json' or 'application/cloudevents-batch+json', or the headers 'ce-…'.";

/** Reads the events of a request in the topic's input schema; throws if any event has a mistake. */
export function readEvents(call: EventsCall, plan: Plan, bytes: Buffer | undefined): Reading {
  const { headers, jar } = call;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && String(encoding).toLowerCase() !== 'identity') {
    throw publishErrors.UnsupportedMediaType({ encoding: quote(String(encoding)) });
  }
  const mistakes = new Mistakes(plan.schema);
  const aliases = jar.config.namespace;
  const reading: Reading = { plan, mistakes, aliases, now: call.receivedAt, events: [], topicNames: [] };
  const type = headers['content-type'] ?? '';
  if (plan.schema === 'CloudEventSchemaV1_0') {
    readCloud(String(type), headers, bytes, reading);
  } else {
    if (CLOUD_TYPE.test(String(type))) {
      mistakes.fail(`The content type '${quote(String(type))}' is that of CloudEvents.`);
    }
    const list = listOf(jsonOf(present(bytes, mistakes), mistakes), mistakes);
    if (plan.schema === 'CustomEventSchema') readCustom(list, reading);
    else readNative(list, reading);
  }
  mistakes.refuse();
  return reading;
}

function readCloud(type: string, headers: EventsCall['headers'], bytes: Buffer | undefined, reading: Reading): void {
  const { mistakes } = reading;
  if (BATCH_TYPE.test(type)) {
    readCloudBatch(listOf(jsonOf(present(bytes, mistakes), mistakes), mistakes), reading);
  } else if (SINGLE_TYPE.test(type)) {
    const value = jsonOf(present(bytes, mistakes), mistakes);
    if (Array.isArray(value)) {
      mistakes.fail("The body is an array; a batch has the content type 'application/cloudevents-batch+json'.");
    }
    const event = objectOf(value, 'event', mistakes);
    if (event) readCloudEvent(event, '', reading);
  } else if (CLOUD_TYPE.test(type)) {
    mistakes.fail(`The content type '${quote(type)}' is not supported; send JSON.`);
  } else if (isBinaryMode(headers)) {
    readBinary(bytes, headers, reading);
  } else {
    mistakes.fail(CLOUD_HINT);
  }
}

function present(bytes: Buffer | undefined, mistakes: Mistakes): Buffer {
  return bytes ?? mistakes.fail('The request has no body.');
}
