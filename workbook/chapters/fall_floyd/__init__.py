"""The chapter on Fall and Floyd's comparison: which losses were repaired when, beside what every chapter has."""
