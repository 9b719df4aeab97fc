module.exports = { parallel: true, spec: ['*.test.cjs', '*.test.mjs'], timeout: 120_000 };
