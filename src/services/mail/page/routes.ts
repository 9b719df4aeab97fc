import { Type } from 'typebox';
import { type Answer, type Route, routeOf } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { SIGNED_IN_PATH } from './application.ts';
import { ASSETS } from './assets.ts';
import { showBody } from './body/handle.ts';
import { mailDocument } from './document.ts';
import { showMeeting } from './meeting.ts';
import { MAIL_PATH, MEET_PATH, OWA_PATH } from './names.ts';

/** The same document at all paths; its script decides from the URL what to show. */
const PAGES = [
  [MAIL_PATH, 'Mailbox', 'The mailbox: folders, messages and invitations'],
  [`${MAIL_PATH}/calendar`, 'Calendar', 'The agenda of the next 30 days'],
  [SIGNED_IN_PATH, 'SignedIn', 'The same page, after the sign-in'],
  [OWA_PATH, 'Item', 'The message or event of a webLink'],
] as const;

const document = routeCode([], {
  responses: { 200: 'HTML' },
  handle: ({ jar }): Answer => mailDocument(jar.clock.now()),
});

/** The name of an asset contains a digest of its content, so the content of a name never changes. */
const asset = routeCode(['asset'], {
  responses: { 200: 'The script or the style sheet of the page', 404: 'There is no such asset' },
  handle({ params }): Answer {
    const found = ASSETS.find(({ name }) => name === params.asset);
    if (!found) throw errors.ErrorItemNotFound();
    const { contentType, content } = found;
    return {
      status: 200,
      headers: { 'content-type': contentType, 'cache-control': 'public, max-age=31536000, immutable' },
      body: content,
    };
  },
});

const bodyAnswer = Type.Object({
  document: Type.String(),
  blocked: Type.Integer(),
  isShortened: Type.Boolean(),
  recurrence: Type.Union([Type.String(), Type.Null()]),
});

const messageBody = routeCode(['item'], {
  responses: { 200: bodyAnswer },
  handle: (call) => showBody(call, 'message', call.params.item),
});

const eventBody = routeCode(['item'], {
  responses: { 200: bodyAnswer },
  handle: (call) => showBody(call, 'event', call.params.item),
});

const meeting = routeCode(['meeting'], {
  responses: { 200: 'HTML', 404: 'There is no such meeting' },
  handle: ({ jar, params }) => showMeeting(jar, params.meeting),
});

export const pageRoutes: readonly Route[] = [
  ...PAGES.map(([path, name, summary]) =>
    routeOf(
      { method: 'GET', path, operation: `MailPage_${name}`, summary, open: true, produces: 'text/html' },
      document,
    ),
  ),
  routeOf(
    {
      method: 'GET',
      path: `${MEET_PATH}/{meeting}`,
      operation: 'MailPage_Meeting',
      summary: 'The address of an online meeting',
      open: true,
      produces: 'text/html',
    },
    meeting,
  ),
  routeOf(
    {
      method: 'GET',
      path: `${MAIL_PATH}/assets/{asset}`,
      operation: 'MailPage_Asset',
      summary: 'The script or the style sheet of the page',
      open: true,
      quiet: true,
      produces: 'text/javascript',
    },
    asset,
  ),
  routeOf(
    {
      method: 'GET',
      path: `${MAIL_PATH}/messages/{item}/body`,
      operation: 'MailPage_MessageBody',
      summary: 'The body of a message, sanitised, as a document for a frame',
    },
    messageBody,
  ),
  routeOf(
    {
      method: 'GET',
      path: `${MAIL_PATH}/events/{item}/body`,
      operation: 'MailPage_EventBody',
      summary: 'The body of an event, sanitised, as a document for a frame',
    },
    eventBody,
  ),
];
