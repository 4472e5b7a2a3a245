/** Words of English that are everywhere and say nothing about what is looked for. */
const stopWords: ReadonlySet<string> = new Set(
  `a about also am an and another any all are as at be because been before being between both but by can cannot could
  did do does doing down during each etc few for from further had has have he her here hers herself him himself his
  how i if in into is it its just let may me might more most must my myself no nor not of off on once only or other our
  ours ourselves out over own per same shall she should so some such than that the their them themselves then there
  these they this those through to too under until up upon us very via was we were what when where which while who
  whom why will with would you your yours yourself yourselves`.split(/\s+/),
);

export const isStopWord = (word: string): boolean => stopWords.has(word.toLowerCase());
