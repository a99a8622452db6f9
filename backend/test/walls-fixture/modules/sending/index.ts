export const sending = 1;
