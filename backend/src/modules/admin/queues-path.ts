/** Where the queues' dashboard stands. */
export const QUEUES_PATH = '/api/admin/queues';
