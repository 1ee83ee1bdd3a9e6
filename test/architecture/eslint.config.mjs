import tseslint from 'typescript-eslint';

// Biome formats and lints; these are the rules that need types and that Biome does not catch in full.
export default tseslint.config({
  files: ['**/*.ts'],
  extends: [tseslint.configs.base],
  languageOptions: {
    parserOptions: {
      project: './tsconfig.json',
      tsconfigRootDir: new URL('../..', import.meta.url).pathname,
    },
  },
  rules: {
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/no-misused-promises': 'error',
    '@typescript-eslint/await-thenable': 'error',
    '@typescript-eslint/switch-exhaustiveness-check': 'error',
    '@typescript-eslint/only-throw-error': 'error',
  },
});
