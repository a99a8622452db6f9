/**
 * Waits at most `ms` for an answer. The work itself goes on.
 * @throws an error with the text `fault` if it takes longer
 */
export async function answerWithin<T>(work: Promise<T> | T, ms: number, fault: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(fault)), ms).unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
