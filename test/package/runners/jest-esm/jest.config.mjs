export default { testEnvironment: 'node', transform: {}, testMatch: ['**/*.test.mjs'], testTimeout: 120_000 };
