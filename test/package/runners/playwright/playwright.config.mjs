import { defineConfig } from '@playwright/test';

const { CHROMIUM = '', CHROMIUM_ARGS = '[]' } = process.env;

export default defineConfig({
  testMatch: '*.spec.mjs',
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  reporter: 'line',
  use: { launchOptions: { executablePath: CHROMIUM, args: JSON.parse(CHROMIUM_ARGS) } },
});
