// A program that does nothing: measures the cost of starting Node itself.
