import { defineConfig } from 'vitest/config';

// For machines that are busy with other tests.
const PATIENCE_MS = 120_000;

export default defineConfig({
  test: { include: ['**/*.test.mjs'], testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS },
});
