import { describe, expect, it } from 'vitest';
import { allowedRate, consentOf, handshakeVerdict } from '../../../../src/services/events/handshake/verdict.ts';

const CODE = '512D38B6-C7B8-40C8-89FE-F46F9E9622B6';
const byCode = { headers: {}, body: JSON.stringify([{ data: { validationCode: CODE } }]) };
const byOrigin = { headers: { 'webhook-request-origin': 'eventgrid.vendor.example' }, body: '' };

const answer = (status: number, body = '', headers: Record<string, string> = {}) => ({
  status,
  outcome: 'Succeeded',
  headers,
  body,
  ms: 1,
});
const said = (value: unknown) => JSON.stringify(value);
const allowed = (origin: string) => ({ 'webhook-allowed-origin': origin });

describe('an answer to a validation event', () => {
  it.each([
    ['the code', answer(200, said({ validationResponse: CODE })), 'given'],
    ['the code in small letters', answer(200, said({ validationResponse: CODE.toLowerCase() })), 'given'],
    ['the code under a name in other case', answer(200, said({ ValidationResponse: CODE, more: 1 })), 'given'],
    ['another code', answer(200, said({ validationResponse: 'x' })), 'refused'],
    ['nothing', answer(200), 'open'],
    ['the code by itself', answer(200, said(CODE)), 'open'],
    ['a number for the code', answer(200, said({ validationResponse: 5 })), 'open'],
    ['a list', answer(200, said([{ validationResponse: CODE }])), 'open'],
    ['null', answer(200, 'null'), 'open'],
    ['no JSON', answer(200, `validationResponse=${CODE}`), 'open'],
    ['the code with 201', answer(201, said({ validationResponse: CODE })), 'unanswered'],
    ['the code with 202', answer(202, said({ validationResponse: CODE })), 'unanswered'],
    ['a redirect', answer(302), 'unanswered'],
    ['an error', answer(500), 'unanswered'],
  ])('%s', (_, result, is) => {
    expect(consentOf(result, byCode).is).toBe(is);
  });
});

describe('an answer to OPTIONS', () => {
  it.each([
    ['the origin', answer(200, '', allowed('eventgrid.vendor.example')), 'given'],
    ['any origin', answer(200, '', allowed('*')), 'given'],
    ['the origin among others', answer(204, '', allowed('other.example, EventGrid.vendor.example')), 'given'],
    ['another origin', answer(200, '', allowed('vendor.example')), 'refused'],
    ['no origin', answer(200), 'open'],
    ['no such method', answer(405, '', allowed('*')), 'unanswered'],
    ['an error', answer(503), 'unanswered'],
  ])('%s', (_, result, is) => {
    expect(consentOf(result, byOrigin).is).toBe(is);
  });

  it.each([
    ['100', 100],
    [' 7 ', 7],
    ['*', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['many', undefined],
  ])('a rate of %s', (rate, number) => {
    expect(allowedRate({ headers: { 'webhook-allowed-rate': rate } })).toBe(number);
  });
});

describe('no answer', () => {
  it.each([
    ['TimedOut', 'retry'],
    ['SocketError', 'retry'],
    ['Blocked', 'refused'],
    ['BadAddress', 'refused'],
  ])('%s', (outcome, is) => {
    const delivery = { ...byCode, id: '1', destination: '', url: '', enqueuedAt: 0, attempts: 0 };
    const verdict = handshakeVerdict({ outcome, error: 'why', headers: {}, body: '', ms: 1 }, [delivery]);
    expect(verdict).toMatchObject({ is, rule: `${outcome}: why` });
  });
});
