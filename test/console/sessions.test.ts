import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

consoleStory(
  'a one-time link opens the console once, and its session reads and changes the jar',
  async ({ page, jar, open, accessible, control }) => {
    const made = await control('/_jar/console/links', { method: 'POST' });
    const { url } = (await made.json()) as { url: string };
    await page.goto(url);
    await page.getByRole('banner').waitFor();
    expect(page.url()).not.toContain('enter');
    expect(page.url()).not.toContain(url.split('#enter=')[1]);
    await open('deliveries');
    await page.getByText('Nothing was sent yet').waitFor();
    await accessible();

    // What a script of the page could read has neither the key nor the session.
    const readable = await page.evaluate<string>(
      'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])',
    );
    expect(readable).not.toMatch(/cloudjar-console/);
    expect(readable).not.toContain(jar.adminKey);

    await open('inboxes');
    await page.getByRole('button', { name: 'Make an inbox' }).click();
    await page.waitForURL(/\/console\/inboxes\/[^/?]+/);
    const { value } = (await (await control('/_jar/inbox')).json()) as { value: unknown[] };
    expect(value).toHaveLength(1);

    // The link is used up; without a session, nothing is shown.
    await page.getByRole('button', { name: 'End the session' }).click();
    await page.getByLabel('Admin key').waitFor();
    await page.goto('about:blank');
    await page.goto(url);
    await page.getByText('This link was already used').waitFor();
    await accessible();
  },
  { expected: /status of 401/ },
);
