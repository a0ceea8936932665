"""What players are asked, one module a question: the button and the form beside what reads the answer."""
