import { ConfigError, type Environment, loadConfig } from '../../../src/platform/config/index.ts';

/** The errors that these settings are rejected with; empty when they are accepted. */
export function errorsOf(env: Environment): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
}
