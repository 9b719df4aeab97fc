import { announcesBody } from '../kernel/http/receive-body.ts';
import type { SentAnswer } from '../kernel/http/send.ts';
import type { Finished } from '../kernel/http/server.ts';
import {
  type BodyOmission,
  type GivenAnswer,
  type GivenBody,
  type GivenDetails,
  NO_BODY,
} from '../kernel/telemetry/request-details.ts';

export function detailsOf(call: Finished['call']): GivenDetails {
  const { route } = call;
  return {
    url: call.url,
    secure: call.secure,
    isSocket: route.isSocket === true,
    hasSecretBodies: route.secretBodies === true,
    headers: call.rawHeaders,
    body: requestBody(call),
  };
}

function requestBody(call: Finished['call']): GivenBody {
  const { received, method } = call;
  if (received === 'stream') return omitted('stream', announcedBytes(call));
  if (received) return { content: received, bytes: received.length };
  // Bodies of these methods have no meaning, and are never read.
  if (method === 'GET' || method === 'HEAD' || !announcesBody(call)) return NO_BODY;
  return omitted('unread', announcedBytes(call));
}

export function answerDetails({ call, answer }: Finished, { headers, payload, bytes }: SentAnswer): GivenAnswer {
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] as string);
  return { headers: list, body: answerBody(call, answer, payload, bytes) };
}

function answerBody(
  { route, method }: Finished['call'],
  { body }: Finished['answer'],
  content: SentAnswer['payload'],
  bytes: number | undefined,
): GivenBody {
  if (content === undefined)
    return method !== 'HEAD' && typeof body === 'object' && bytes !== 0 ? omitted('stream', bytes) : NO_BODY;
  if (route.secretBodies) return omitted('secret', bytes ?? content.length);
  return { content, bytes };
}

const omitted = (reason: BodyOmission, bytes: number | undefined): GivenBody => ({ omitted: reason, bytes });

function announcedBytes({ headers }: Finished['call']): number | undefined {
  const length = Number(headers['content-length']);
  return Number.isSafeInteger(length) ? length : undefined;
}
