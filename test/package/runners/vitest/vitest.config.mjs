import { defineConfig } from 'vitest/config';

// For machines that run other tests at the same time.
const PATIENCE_MS = 120_000;

export default defineConfig({
  test: { include: ['**/*.test.mjs'], testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS },
});
