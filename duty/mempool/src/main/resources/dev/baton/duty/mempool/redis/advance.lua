return refuse() or advance()
