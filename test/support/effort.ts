/** How much work the random tests do: 1 in `npm test`, more in `npm run soak`. */
export const factor = Number(process.env.AI_ASSIST_TEST_FACTOR ?? 1);
