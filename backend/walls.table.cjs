/** Who may import whom, downwards, by the face only (guide: architecture, the walls). */
module.exports = {
  auth: [],
  lists: ['auth'],
  history: ['auth', 'lists'],
  sending: ['auth', 'lists', 'history'],
  referrals: ['auth', 'lists'],
  billing: ['auth', 'referrals'],
  admin: ['auth', 'lists', 'history', 'sending'],
};
