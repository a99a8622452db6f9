/** Every migration in order; named here so that the list is the same compiled, from source and in tests. */
export const migrations = [];
