/** API calls with limited concurrency: a mailbox rejects the fifth concurrent call of an application. */
export const API = `
/** A message for the user, with the URL to return to after a new sign-in. */
class Problem extends Error {
  constructor(message, address) {
    super(message);
    this.address = address;
  }
}

const MOST_AT_ONCE = 3;
const MOST_RETRIES = 3;
const waiting = [];
let running = 0;

async function inTurn(action) {
  if (running >= MOST_AT_ONCE) await new Promise((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await action();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

async function send(path, { method = 'GET', body } = {}) {
  const headers = { authorization: 'Bearer ' + (stored(TOKEN)?.token ?? ''), prefer: 'IdType="ImmutableId"' };
  if (body) headers['content-type'] = 'application/json';
  for (let retry = 0; ; retry++) {
    const response = await inTurn(() => fetch(path, { method, headers, body: body && JSON.stringify(body) }));
    if (response.status !== 429 || retry >= MOST_RETRIES) return checked(response);
    await wait(Number(response.headers.get('retry-after')) || 1);
  }
}

async function checked(response) {
  if (response.ok) return response;
  if (response.status === 401) {
    signOut();
    throw new Problem('You are no longer signed in.', ownAddress());
  }
  const text = await response.text();
  let message;
  try {
    message = JSON.parse(text).error.message;
  } catch {
    message = 'The jar answered ' + response.status + '.';
  }
  throw Object.assign(new Error(message), { status: response.status });
}

async function ask(path, options) {
  const text = await (await send(path, options)).text();
  return text === '' ? {} : JSON.parse(text);
}

/** Undefined if the item does not exist. */
const found = (asking) =>
  asking.catch((error) => {
    if (error.status !== 404) throw error;
  });

const api = (path, options) => ask('/beta/me' + path, options);
const segment = encodeURIComponent;
/** The path of a next link, which begins with the origin. */
const apiPath = (link) => {
  const { pathname, search } = new URL(link);
  return pathname + search;
};
`;
