/** The least that argon2id takes, as tests sign up thousands of times. */
export const passwordCost = { memoryCost: 8, timeCost: 1 }
