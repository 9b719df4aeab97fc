const SUBSCRIPTION = '10000000-0000-4000-8000-0000000000f1';
const MANAGEMENT = '2021-04-01';

/** @typedef {Awaited<ReturnType<typeof client>>} Client */

/**
 * Requests as a user with a token, and as the admin.
 * @param {import('../../../src/testing/index.ts').TestJar} jar
 */
export async function client(jar) {
  const token = `Bearer ${await jar.token()}`;
  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {Record<string, string>} [headers]
   * @returns {Promise<any>}
   */
  const send = async (method, path, body, headers = { authorization: token }) => {
    const answer = await fetch(jar.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answer.headers.get('content-type')?.includes('json') ? answer.json() : undefined;
  };
  return {
    send,
    /** @param {string} method @param {string} path @param {unknown} [body] */
    control: (method, path, body) => send(method, path, body, { authorization: `Bearer ${jar.adminKey}` }),
    /**
     * Something of a resource group, or the group itself.
     * @param {string} name @param {string} method @param {string} [rest] @param {unknown} [body] @param {string} [version]
     */
    group: (name, method, rest = '', body = undefined, version = MANAGEMENT) =>
      send(method, `/subscriptions/${SUBSCRIPTION}/resourceGroups/${name}${rest}?api-version=${version}`, body),
  };
}
