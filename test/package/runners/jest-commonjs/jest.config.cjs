module.exports = { testEnvironment: 'node', transform: {}, testTimeout: 120_000 };
