export const history = 1;
