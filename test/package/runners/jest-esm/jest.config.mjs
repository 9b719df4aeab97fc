export default { testEnvironment: 'node', transform: {}, testMatch: ['**/*.test.mjs'] };
